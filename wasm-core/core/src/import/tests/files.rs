//! What is said of files that are no trace, and which format a file is taken for.

use super::{import, import_in, refusal_of};
use crate::import::Format;

fn refusal(bytes: &[u8]) -> String {
    let error = import_in(bytes, &[usize::MAX]).expect_err("no trace");
    let text = refusal_of(&error);
    text.split("; accepted is ")
        .next()
        .unwrap_or_default()
        .to_owned()
}

const RETURNS: &str = "found text whose lines end with a carriage return alone: turn each into a \
                       line feed (`tr '\\r' '\\n'`)";

#[test]
fn a_file_that_is_no_trace_is_named() {
    let cases: [(&[u8], &str); 22] = [
        (b"", "the file is empty"),
        (b"\n \n\n", "the file is empty"),
        (
            b"\x17\x08\x44tracing6\0",
            "found trace.dat, trace-cmd’s binary: run `trace-cmd report` and open its output",
        ),
        (b"\x7fELF\x02\x01\x01\0\0", "found an ELF binary"),
        (
            b"{\"traceEvents\":[]}\n",
            "found JSON, beginning with \"{\"traceEvents\":[]}\"",
        ),
        (
            b"<!doctype html>\n",
            "found HTML or XML, beginning with \"<!doctype html>\"",
        ),
        (
            b"Dear list,\nnothing here.\n",
            "found text without a line of a trace, beginning with \"Dear list,\"",
        ),
        (
            b"\x0a\x05\x00\x01\x02\x03\x04\x0a\x05\x00\x01\x02",
            "found a binary protobuf, perhaps a Perfetto trace (.pftrace): export it as ftrace text",
        ),
        (
            b"PERFILE2\x68\0\0",
            "found perf.data, perf’s binary: run `perf script` and open its output",
        ),
        (b"# tracer: nop\r#\r# entries\r", RETURNS),
        (b"# l\xc3\xa4uft\r#\r# entries\r", RETURNS),
        (
            b"<6>[    0.123456] usb 1-1: new device\n",
            "found the kernel’s log (dmesg, /proc/kmsg), which is no trace: that is in \
             /sys/kernel/tracing/trace, beginning with \"<6>[    0.123456] usb 1-1: new device\"",
        ),
        (
            b"[12345.123456] usb 1-1: new device\n",
            "found the kernel’s log (dmesg, /proc/kmsg), which is no trace: that is in \
             /sys/kernel/tracing/trace, beginning with \"[12345.123456] usb 1-1: new device\"",
        ),
        (
            b"6,339,5140900,-;usb 1-1: new device\n",
            "found the kernel’s log (dmesg, /proc/kmsg), which is no trace: that is in \
             /sys/kernel/tracing/trace, beginning with \"6,339,5140900,-;usb 1-1: new device\"",
        ),
        (
            b"20:31:02.836913 IP 127.0.0.1.35879 > 127.0.0.1.45999: UDP, length 100\n",
            "found the text of tcpdump: have it write a file (`tcpdump -w FILE`) and open that together with a trace \
             of its host, beginning with \"20:31:02.836913 IP 127.0.0.1.35879 > 127.0.0.1.45999: UDP, l\"",
        ),
        (
            b"     0.000 ( 0.086 ms): python3/19232 sendto(fd: 4, len: 100) = 100\n",
            "found the output of `perf trace`: record the events with `perf record` and open what `perf script` prints, \
             beginning with \"0.000 ( 0.086 ms): python3/19232 sendto(fd: 4, len: 100) = 1\"",
        ),
        (
            b"# To display the perf.data header info, please use --header/--header-only options.\n#\n",
            "found the output of `perf report`: run `perf script` on the same perf.data and open its output, beginning \
             with \"# To display the perf.data header info, please use --header/\"",
        ),
        (
            b"           time    cpu  task name                       wait time  sch delay   run time\n",
            "found the output of `perf sched timehist`: run `perf script --ns` on the same perf.data and open its output, \
             beginning with \"time    cpu  task name                       wait time  sch \"",
        ),
        (
            b"\n0x4c8@perf.data [0x1d0]: event: 69\n.\n. ... raw event: size 464 bytes\n",
            "found the output of `perf script -D`, a dump of bytes: run `perf script --ns` without -D and open its output, \
             beginning with \"0x4c8@perf.data [0x1d0]: event: 69\"",
        ),
        (
            b"  perf 17108 [000]     sched:sched_waking: comm=migration/0 pid=18 prio=0 target_cpu=000\n",
            "found text without a line of a trace (an event without its time: turn ftrace's option context-info on, or \
             give perf script the fields comm,tid,cpu,time,event,trace, and print it again), \
             beginning with \"perf 17108 [000]     sched:sched_waking: comm=migration/0 pi\"",
        ),
        (
            b"16434 1 1795811169422004860 type: 375\n",
            "found text without a line of a trace (printed with ftrace's option raw, hex or bin: turn it off and print \
             the trace again), beginning with \"16434 1 1795811169422004860 type: 375\"",
        ),
        (b"[1.5, 2]\n", "found JSON, beginning with \"[1.5, 2]\""),
    ];
    for (bytes, expected) in cases {
        assert_eq!(refusal(bytes), expected);
    }
}

#[test]
fn every_refusal_says_what_is_accepted() {
    let error = import_in(b"nothing\n", &[usize::MAX]).expect_err("no trace");
    assert!(refusal_of(&error).ends_with("each plain, .gz or .zst"));
}

#[test]
fn the_version_line_first_decides_whatever_a_remark_says() {
    let text = "# kperf 2\n# tracer: nop\n";
    let imported = import(text).expect("a trace without events");
    assert_eq!(imported.format, Format::Kperf2);
    let paste = "# tracer: nop\n# kperf 2\n";
    let imported = import(paste).expect("a trace without events");
    assert_eq!(imported.format, Format::Ftrace);
}

/// What the kernel dumps of a trace when it crashes stands at the end of its log.
#[test]
fn a_trace_behind_a_long_text_is_found() {
    let log = "[    0.123456] usb 1-1: new device\n".repeat(3000);
    let event = "[  311.004217]           <idle>-0       [001] ..s1.   100.000001: softirq_entry: vec=3 [action=NET_RX]\n";
    let imported = import(&format!("{log}{event}")).expect("a trace behind a log");
    assert_eq!((imported.run.len(), imported.ledger.malformed), (1, 3000));
    assert!(refusal(log.as_bytes()).starts_with("found the kernel’s log"));
}

/// What people send in place of a trace, or with one in it: each is named, with how to unpack it.
#[test]
fn what_a_trace_may_be_packed_in_is_named() {
    let tar = {
        let mut header = [0_u8; 512];
        header[..9].copy_from_slice(b"trace.txt");
        header[124..135].copy_from_slice(b"00000000017");
        header[148..156].copy_from_slice(b"003265\0 ");
        header
    };
    let cases: [(&[u8], &str); 13] = [
        (
            b"PK\x03\x04\x14",
            "a zip archive: unpack it first (`unzip FILE`)",
        ),
        (b"PK\x05\x06\0\0", "a zip archive with nothing in it"),
        (b"\xfd7zXZ\0", "an xz file: unpack it first (`xz -dk FILE`"),
        (
            b"BZh91AY",
            "a bzip2 file: unpack it first (`bunzip2 -k FILE`",
        ),
        (
            b"\x04\x22\x4d\x18d",
            "an lz4 file: unpack it first (`lz4 -d FILE`)",
        ),
        (
            b"7z\xbc\xaf\x27\x1c\0",
            "a 7z archive: unpack it first (`7z x FILE`)",
        ),
        (b"Rar!\x1a\x07\0", "a rar archive: unpack it first"),
        (
            b"LZIP\x01",
            "an lzip file: unpack it first (`lzip -dk FILE`)",
        ),
        (
            b"\x5d\0\0\x80\0",
            "an lzma file: unpack it first (`xz -dk FILE`)",
        ),
        (
            b"\x1f\x9d\x90\x23",
            "a file of compress (.Z): unpack it first",
        ),
        (
            b"070701000",
            "a cpio archive: unpack it first (`cpio -id <FILE`)",
        ),
        (&tar, "a tar archive: unpack it first (`tar -xf FILE`)"),
        (&[0; 600], "zeros, as a copy that was broken off"),
    ];
    for (bytes, said) in cases {
        let refused = refusal(bytes);
        assert!(refused.starts_with(&format!("found {said}")), "{refused}");
    }
}

/// Each is another tool's, or what a program said in place of a trace.
#[test]
fn what_other_programs_print_is_named() {
    let cases = [
        (
            "SKB                CPU PROCESS          NETNS      MARK/x        IFACE",
            "the output of pwru",
        ),
        (
            "3316376220297 (3) [ping] 23561 [tp] net:net_dev_start_xmit #304 (skb ffff9c4a8b6c2a00)",
            "the output of retis",
        ),
        (
            "Receiving data...\n20:19:36.372782 -> 20:19:36.372797 TID/PID 8346/8346 (simfail/simfail):",
            "the output of retsnoop",
        ),
        (
            "Attaching 2 probes...\n@[curl]: 12",
            "the output of a bpftrace script",
        ),
        ("dropwatch> start", "the output of dropwatch"),
        (
            "TIME     PID    IP SADDR:SPORT          > DADDR:DPORT          STATE (FLAGS)",
            "the output of a tool of bcc",
        ),
        (
            "[13:45:12.123456789] (+?.?????????) host net_dev_queue: { cpu_id = 1 }, { len = 92 }",
            "a trace of LTTng",
        ),
        (
            "1 0.000000000    127.0.0.1 \u{2192} 127.0.0.1    TCP 74 41234 \u{2192} 80 [SYN] Seq=0 Win=65495 Len=0",
            "the text of tshark",
        ),
        (
            "1234 1700000000.123456 sendto(3, \"x\", 1, 0, NULL, 0) = 1 <0.000012>",
            "the output of strace",
        ),
        (
            "00000000: 2320 7472 6163 6572 3a20 6e6f 700a 230a  # tracer: nop.#.",
            "a dump of a file’s bytes",
        ),
        (
            "0000000 2023 7274 6361 7265 203a 6f6e 0a70 0a23",
            "a dump of a file’s bytes",
        ),
        (
            "H4sIAG1MCmsC/+WdbY/jtrWAv+dXCNgvDYqZ5buoRV2gTVI0KLo3yCbAxS0C",
            "a packed file that was written as text",
        ),
        (
            "cat: /sys/kernel/tracing/trace: Permission denied",
            "what a program says that could not read",
        ),
        (
            "[ perf record: Woken up 1 times to write data ]",
            "what a program says while it records",
        ),
        (
            "version https://git-lfs.github.com/spec/v1",
            "a pointer of Git LFS",
        ),
        (
            "1700000000.836913 IP 127.0.0.1.35879 > 127.0.0.1.45999: UDP, length 100",
            "the text of tcpdump",
        ),
        (
            "2024-01-02 20:31:02.836913 IP 127.0.0.1.35879 > 127.0.0.1.45999: UDP, length 100",
            "the text of tcpdump",
        ),
        (
            "1700000000.836913 00:00:00:00:00:00 > 00:00:00:00:00:00, ethertype IPv4 (0x0800), length 142",
            "the text of tcpdump",
        ),
        (
            "cpus=2\n      Compositor-21208 [000]24064784790757: consume_skb:          skbaddr=0xffff888100b84f00",
            "text without a line of a trace (printed by `trace-cmd report --raw-ts`",
        ),
        ("[12 things, said: here]", "JSON"),
        ("[a thing, said: here]", "text without a line of a trace"),
    ];
    for (text, said) in cases {
        let refused = refusal(format!("{text}\n").as_bytes());
        assert!(
            refused.starts_with(&format!("found {said}")),
            "{text}: {refused}"
        );
    }
}

/// A mail as it was sent: every value began with 3D, and counted as read.
#[test]
fn a_trace_in_quoted_printable_is_refused_by_that_name() {
    let event = "          <idle>-0       [001] ..s1.   100.000001: netif_receive_skb: dev=3Deth0 skbadd=\n\
                 r=3D0xffff888008476400 len=3D92\n";
    let refused = refusal(
        format!(
            "Content-Type: text/plain; charset=utf-8\n\n{}",
            event.repeat(3)
        )
        .as_bytes(),
    );
    assert!(
        refused.starts_with("found a trace as a mail is kept"),
        "{refused}"
    );
}
