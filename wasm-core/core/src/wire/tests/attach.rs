//! Joining frames and packets, as text: what comes in and the run that comes out.

use expect_test::{Expect, expect};

use super::*;
use crate::english::say_of_file;
use crate::import::Import;
use crate::opened::{Opened, Part};
use crate::run::Run;
use crate::wire::{Attachment, attach};

pub(super) fn run(text: &str) -> Run {
    let mut import = Import::new();
    import.push(text.as_bytes());
    let imported = import.finish().expect("it is a trace");
    assert_eq!(imported.ledger.malformed_kept, vec![]);
    imported.run
}

/// Joins the frames (microseconds on the capture's clock) to a kperf 2 trace.
pub(super) fn join(
    trace: &str,
    frames: &[(u64, Vec<u8>)],
    offset: Option<i64>,
) -> (Run, Attachment) {
    let frames: Vec<Sent> = frames
        .iter()
        .map(|(micros, bytes)| Sent {
            time: micros * 1_000,
            bytes: bytes.clone(),
        })
        .collect();
    attach(run(trace), &read(&pcap(false, true, 1, &frames)), offset)
}

/// What is told of it, a line each.
pub(super) fn said(attachment: &Attachment) -> String {
    let notes: Vec<String> = attachment.notes.iter().map(say_of_file).collect();
    notes.join("\n")
}

fn check(joined: &(Run, Attachment), expected: &Expect) {
    let (run, attachment) = joined;
    let mut text = Vec::new();
    crate::export::kperf2(run, &mut text).expect("a vector takes any bytes");
    let text = String::from_utf8(text).expect("the export is text");
    let mut lines: Vec<&str> = text.lines().skip(2).collect();
    let counts = format!(
        "-- rx {} matched {} dropped {} unobserved, tx {} matched {} without, {} outside, offset {}",
        attachment.matched_rx,
        attachment.dropped_by_nic,
        attachment.unmatched_rx,
        attachment.matched_tx,
        attachment.unmatched_tx,
        attachment.outside,
        attachment.offset_ns,
    );
    lines.push(&counts);
    let notes: Vec<String> = attachment
        .notes
        .iter()
        .map(|note| format!("-- {}", say_of_file(note)))
        .collect();
    lines.extend(notes.iter().map(String::as_str));
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

pub(super) fn datagram(id: u16, packet: u32) -> Vec<u8> {
    let payload = marker(1, packet);
    ethernet(
        true,
        &ipv4(true, 17, id, 0x4000, &udp(40_000, 5001, &payload)),
    )
}

pub(super) const UDP: &str = "\
# kperf 2
1 ev napi_gro_receive ts 5.000010 cpu 0 skb ffff888000000100 len 44 ip_id 7 frag_off 0x4000 proto 17 sport 40000 dport 5001
2 ev netif_receive_skb ts 5.000012 cpu 0 skb ffff888000000100 len 44 dev eth0
3 ev napi_gro_receive ts 5.000030 cpu 0 skb ffff888000000200 len 44 ip_id 9 frag_off 0x4000 proto 17 sport 40000 dport 5001
4 ev napi_poll ts 5.000040 cpu 0 napi ffff888000000900 dev eth0 work 2 budget 64
5 ev sched_switch ts 5.000900 cpu 0 prev_pid 1 next_pid 0
";

#[test]
fn a_frame_that_the_kernel_had_to_see_was_dropped_and_a_late_one_was_not_observed() {
    let frames = [
        (1_000, datagram(7, 0)),
        (1_010, datagram(8, 1)),
        (1_015, datagram(9, 2)),
        (1_100, datagram(10, 3)),
        (9_000, datagram(11, 4)),
    ];
    check(
        &join(UDP, &frames, None),
        &expect![[r#"
            1 ev wire_rx ts 5.000009999 skb ffff888000000100 len 58 dev eth0 protocol 0x800 ip_id 0x7 frag_off 0x4000 proto 17 saddr 192.0.2.1 daddr 192.0.2.2 payload 16 sport 40000 dport 5001 thread 1 packet 0
            2 ev napi_gro_receive ts 5.000010000 cpu 0 skb ffff888000000100 len 44 ip_id 0x7 frag_off 0x4000 proto 17 sport 40000 dport 5001
            3 ev netif_receive_skb ts 5.000012000 cpu 0 skb ffff888000000100 len 44 dev eth0
            4 ev wire_rx ts 5.000019999 len 58 dev eth0 protocol 0x800 ip_id 0x8 frag_off 0x4000 proto 17 saddr 192.0.2.1 daddr 192.0.2.2 payload 16 sport 40000 dport 5001 thread 1 packet 1
            5 ev rx_missed ts 5.000019999 len 58 dev eth0
            6 ev wire_rx ts 5.000024999 skb ffff888000000200 len 58 dev eth0 protocol 0x800 ip_id 0x9 frag_off 0x4000 proto 17 saddr 192.0.2.1 daddr 192.0.2.2 payload 16 sport 40000 dport 5001 thread 1 packet 2
            7 ev napi_gro_receive ts 5.000030000 cpu 0 skb ffff888000000200 len 44 ip_id 0x9 frag_off 0x4000 proto 17 sport 40000 dport 5001
            8 ev napi_poll ts 5.000040000 cpu 0 napi ffff888000000900 dev eth0 work 2 budget 64
            9 ev wire_rx ts 5.000109999 len 58 dev eth0 protocol 0x800 ip_id 0xa frag_off 0x4000 proto 17 saddr 192.0.2.1 daddr 192.0.2.2 payload 16 sport 40000 dport 5001 thread 1 packet 3
            10 ev sched_switch ts 5.000900000 cpu 0 prev_pid 1 next_pid 0
            -- rx 2 matched 1 dropped 2 unobserved, tx 0 matched 0 without, 1 outside, offset -4999009999
            -- The host under trace is 52:54:00:00:00:02 on the link: its receive path saw the frames sent there, or it sent those that came from there.
            -- The clock offset is estimated; too small by the shortest way from the link to the first event.
            -- Frames from before the recording began or after it ended, left out: 1.
        "#]],
    );
}

#[test]
fn a_given_offset_is_kept_and_its_error_is_said() {
    let frames = [(1_000, datagram(7, 0)), (1_015, datagram(9, 2))];
    check(
        &join(UDP, &frames, Some(-4_999_005_000)),
        &expect![[r#"
            1 ev wire_rx ts 5.000005000 skb ffff888000000100 len 58 dev eth0 protocol 0x800 ip_id 0x7 frag_off 0x4000 proto 17 saddr 192.0.2.1 daddr 192.0.2.2 payload 16 sport 40000 dport 5001 thread 1 packet 0
            2 ev napi_gro_receive ts 5.000010000 cpu 0 skb ffff888000000100 len 44 ip_id 0x7 frag_off 0x4000 proto 17 sport 40000 dport 5001
            3 ev netif_receive_skb ts 5.000012000 cpu 0 skb ffff888000000100 len 44 dev eth0
            4 ev wire_rx ts 5.000020000 skb ffff888000000200 len 58 dev eth0 protocol 0x800 ip_id 0x9 frag_off 0x4000 proto 17 saddr 192.0.2.1 daddr 192.0.2.2 payload 16 sport 40000 dport 5001 thread 1 packet 2
            5 ev napi_gro_receive ts 5.000030000 cpu 0 skb ffff888000000200 len 44 ip_id 0x9 frag_off 0x4000 proto 17 sport 40000 dport 5001
            6 ev napi_poll ts 5.000040000 cpu 0 napi ffff888000000900 dev eth0 work 2 budget 64
            7 ev sched_switch ts 5.000900000 cpu 0 prev_pid 1 next_pid 0
            -- rx 2 matched 0 dropped 0 unobserved, tx 0 matched 0 without, 0 outside, offset -4999005000
            -- The host under trace is 52:54:00:00:00:02 on the link: its receive path saw the frames sent there, or it sent those that came from there.
        "#]],
    );
}

#[test]
fn ids_that_wrap_are_given_out_in_the_order_of_time() {
    let trace = "\
# kperf 2
1 ev napi_gro_receive ts 5.000010 cpu 0 skb ffff888000000100 len 44 ip_id 8 frag_off 0x4000 proto 17
2 ev napi_gro_receive ts 5.000020 cpu 0 skb ffff888000000200 len 44 ip_id 7 frag_off 0x4000 proto 17
3 ev napi_gro_receive ts 5.400000 cpu 0 skb ffff888000000100 len 44 ip_id 7 frag_off 0x4000 proto 17
";
    let frames = [
        (1_000, datagram(8, 0)),
        (1_010, datagram(7, 1)),
        (401_000, datagram(7, 2)),
    ];
    let (run, attachment) = join(trace, &frames, None);
    assert_eq!(attachment.matched_rx, 3);
    let skb_of = |packet| {
        let mut frames = run
            .indices()
            .filter(|&index| run.field(index, crate::kernel::Field::Packet) == Some(packet));
        let frame = frames.next().expect("each frame is an event");
        run.addresses.value(run.event(frame).skb)
    };
    assert_eq!(
        [skb_of(0), skb_of(1), skb_of(2)].map(|skb| skb & 0xfff),
        [0x100, 0x200, 0x100]
    );
}

#[test]
fn one_large_packet_leaves_as_several_frames() {
    let trace = "\
# kperf 2
1 ev __dev_queue_xmit ts 5.000010 cpu 1 skb ffff888000000100 len 3054 ip_id 20 frag_off 0x4000 proto 6 sport 5002 seq_no 1000
2 ev net_dev_start_xmit ts 5.000011 cpu 1 skb ffff888000000100 len 3054 dev eth0 protocol 0x800
3 ev ndo_start_xmit ts 5.000012 cpu 1 skb ffff888000000100 len 3054 ip_id 20 frag_off 0x4000 proto 6 sport 5002 seq_no 1000
4 ev net_dev_xmit ts 5.000020 cpu 1 skb ffff888000000100 len 3054 dev eth0 rc 0
";
    let segment = |id: u16, seq: u32| {
        ethernet(
            false,
            &ipv4(false, 6, id, 0x4000, &tcp(5002, 40_001, seq, &[b'x'; 1000])),
        )
    };
    let empty = ethernet(
        false,
        &ipv4(false, 6, 20, 0x4000, &tcp(5002, 40_001, 1000, &[])),
    );
    let frames = [
        (1_012, empty),
        (1_013, segment(20, 1000)),
        (1_014, segment(21, 2000)),
        (1_015, segment(22, 3000)),
    ];
    check(
        &join(trace, &frames, None),
        &expect![[r#"
            1 ev __dev_queue_xmit ts 5.000010000 cpu 1 skb ffff888000000100 len 3054 ip_id 0x14 frag_off 0x4000 proto 6 sport 5002 seq_no 1000
            2 ev net_dev_start_xmit ts 5.000011000 cpu 1 skb ffff888000000100 len 3054 dev eth0 protocol 0x800
            3 ev wire_tx ts 5.000011000 len 54 dev eth0 protocol 0x800 ip_id 0x14 frag_off 0x4000 proto 6 saddr 192.0.2.2 daddr 192.0.2.1 payload 0 sport 5002 dport 40001 seq_no 1000 ack_no 9 tcp_flags 0x18 window 65535
            4 ev ndo_start_xmit ts 5.000012000 cpu 1 skb ffff888000000100 len 3054 ip_id 0x14 frag_off 0x4000 proto 6 sport 5002 seq_no 1000
            5 ev wire_tx ts 5.000012000 skb ffff888000000100 len 1054 dev eth0 protocol 0x800 ip_id 0x14 frag_off 0x4000 proto 6 saddr 192.0.2.2 daddr 192.0.2.1 payload 1000 sport 5002 dport 40001 seq_no 1000 ack_no 9 tcp_flags 0x18 window 65535
            6 ev wire_tx ts 5.000013000 skb ffff888000000100 len 1054 dev eth0 protocol 0x800 ip_id 0x15 frag_off 0x4000 proto 6 saddr 192.0.2.2 daddr 192.0.2.1 payload 1000 sport 5002 dport 40001 seq_no 2000 ack_no 9 tcp_flags 0x18 window 65535
            7 ev wire_tx ts 5.000014000 skb ffff888000000100 len 1054 dev eth0 protocol 0x800 ip_id 0x16 frag_off 0x4000 proto 6 saddr 192.0.2.2 daddr 192.0.2.1 payload 1000 sport 5002 dport 40001 seq_no 3000 ack_no 9 tcp_flags 0x18 window 65535
            8 ev net_dev_xmit ts 5.000020000 cpu 1 skb ffff888000000100 len 3054 dev eth0 rc 0
            -- rx 0 matched 0 dropped 0 unobserved, tx 3 matched 1 without, 0 outside, offset -4998999000
            -- The host under trace is 52:54:00:00:00:02 on the link: its receive path saw the frames sent there, or it sent those that came from there.
            -- The clock offset is estimated from sent frames; too large by the shortest way from the driver to the link.
        "#]],
    );
}

#[test]
fn a_trace_of_tracepoints_is_matched_by_order_and_says_so() {
    let trace = "\
# kperf 2
1 ev napi_gro_receive_entry ts 5.000010 cpu 0 skb ffff888000000100 len 44 dev eth0 protocol 0x800
2 ev napi_gro_receive_entry ts 5.000030 cpu 0 skb ffff888000000200 len 44 dev eth0 protocol 0x800
";
    let frames = [(1_000, datagram(7, 0)), (1_015, datagram(9, 2))];
    check(
        &join(trace, &frames, None),
        &expect![[r#"
            1 ev wire_rx ts 5.000009999 skb ffff888000000100 len 58 dev eth0 protocol 0x800 ip_id 0x7 frag_off 0x4000 proto 17 saddr 192.0.2.1 daddr 192.0.2.2 payload 16 sport 40000 dport 5001 thread 1 packet 0
            2 ev napi_gro_receive_entry ts 5.000010000 cpu 0 skb ffff888000000100 len 44 dev eth0 protocol 0x800
            3 ev wire_rx ts 5.000024999 skb ffff888000000200 len 58 dev eth0 protocol 0x800 ip_id 0x9 frag_off 0x4000 proto 17 saddr 192.0.2.1 daddr 192.0.2.2 payload 16 sport 40000 dport 5001 thread 1 packet 2
            4 ev napi_gro_receive_entry ts 5.000030000 cpu 0 skb ffff888000000200 len 44 dev eth0 protocol 0x800
            -- rx 2 matched 0 dropped 0 unobserved, tx 0 matched 0 without, 0 outside, offset -4999009999
            -- The host under trace is 52:54:00:00:00:02 on the link: its receive path saw the frames sent there, or it sent those that came from there.
            -- For 2 frames the trace has no IP id or sequence number: they are matched by order and length, so where frames of one length were lost it may be another frame of that length.
            -- The clock offset is estimated; too small by the shortest way from the link to the first event.
        "#]],
    );
}

/// A packet of another link has the length of a frame that comes a second later, after the trace: taken
/// for it, it would move all others by that second.
#[test]
fn times_that_contradict_each_other_move_nothing_and_drop_nothing() {
    let trace = "\
# kperf 2
1 ev napi_gro_receive_entry ts 5.000005 cpu 0 skb ffff888000000900 len 328 dev eth1 protocol 0x800
2 ev napi_gro_receive_entry ts 5.000010 cpu 0 skb ffff888000000100 len 44 dev eth0 protocol 0x800
3 ev net_dev_start_xmit ts 5.000020 cpu 0 skb ffff888000000300 len 154 dev eth0 protocol 0x800
4 ev napi_gro_receive_entry ts 5.000030 cpu 0 skb ffff888000000200 len 44 dev eth0 protocol 0x800
5 ev net_dev_start_xmit ts 5.000040 cpu 0 skb ffff888000000400 len 154 dev eth0 protocol 0x800
";
    let answer = || {
        let above = udp(5001, 40_000, &[0; 112]);
        ethernet(false, &ipv4(false, 17, 3, 0x4000, &above))
    };
    let late = ethernet(true, &ipv4(true, 17, 77, 0x4000, &udp(1, 2, &[0; 300])));
    let frames = [
        (1_008, datagram(7, 0)),
        (1_021, answer()),
        (1_028, datagram(9, 2)),
        (1_041, answer()),
        (1_001_000, late),
    ];
    let (_, attachment) = join(trace, &frames, None);
    let said: Vec<String> = attachment.notes.iter().map(say_of_file).collect();
    assert_eq!(
        (attachment.matched_rx, attachment.matched_tx),
        (2, 2),
        "{said:#?}"
    );
    assert_eq!((attachment.dropped_by_nic, attachment.outside), (0, 1));
    assert!((-4_999_002_000..-4_998_998_000).contains(&attachment.offset_ns));
    assert!(
        said.iter()
            .any(|note| note.contains("contradict each other"))
    );
}

#[test]
fn a_capture_of_another_link_changes_nothing() {
    let other = ethernet(true, &ipv4(true, 17, 77, 0x4000, &udp(1, 2, &[0; 300])));
    let before = run(UDP).fingerprint();
    let (after, attachment) = join(UDP, &[(1_000, other)], None);
    assert_eq!(after.fingerprint(), before);
    assert_eq!(attachment.matched_rx + attachment.matched_tx, 0);
    assert_eq!(attachment.notes.len(), 1);
}

/// A recording of tracepoints alone has lengths to compare and no more: some frames of another time's capture fit.
#[test]
fn a_capture_of_which_little_is_found_is_said_to_be_of_another_recording() {
    const TRACEPOINTS: &str = "\
# kperf 2
1 ev netif_receive_skb ts 5.000012 cpu 0 skb ffff888000000100 len 44 dev eth0
2 ev netif_receive_skb ts 5.000022 cpu 0 skb ffff888000000200 len 52 dev eth0
3 ev netif_receive_skb ts 5.000900 cpu 0 skb ffff888000000300 len 60 dev eth0
";
    let of_length = |bytes: usize| {
        let payload = vec![0; bytes - 28];
        let packet = ipv4(true, 17, 7, 0x4000, &udp(40_000, 5001, &payload));
        ethernet(true, &packet)
    };
    let told = |lengths: [usize; 3]| {
        let times = [1_000, 1_010, 1_888].into_iter();
        let frames: Vec<_> = times.zip(lengths.map(of_length)).collect();
        let (_, attachment) = join(TRACEPOINTS, &frames, None);
        attachment
            .notes
            .iter()
            .any(|note| note.code == "wire.few_found")
    };
    assert!(!told([44, 52, 60]));
    assert!(told([44, 90, 95]));
}

#[test]
fn frames_that_cannot_be_read_are_told_of() {
    let frame = |bytes: Vec<u8>| Sent { time: 1_000, bytes };
    let whole = frame(datagram(7, 1));
    let notes = |file: &[u8]| {
        let (_, attachment) = attach(run(UDP), &read(file), None);
        let notes = attachment.notes.iter();
        let told = notes
            .map(say_of_file)
            .filter(|note| note.contains("left out, as"));
        told.collect::<Vec<String>>().join("\n")
    };
    let short = pcap(
        false,
        true,
        1,
        &[whole.clone(), frame(vec![1; 5]), frame(Vec::new())],
    );
    expect!["Frames of the capture that are left out, as they are shorter than the header of their link: 2."].assert_eq(&notes(&short));
    let other = pcap(false, true, 147, &[whole.clone(), whole.clone()]);
    expect!["Frames of the capture that are left out, as Ringside does not read link type 147: 2."]
        .assert_eq(&notes(&other));
    assert_eq!(notes(&pcap(false, true, 1, &[whole])), "");
}

#[test]
fn a_frame_that_ends_a_damaged_capture_is_told_of_once() {
    let whole = Sent {
        time: 1_000,
        bytes: datagram(7, 1),
    };
    let mut file = pcap(false, true, 1, &[whole.clone(), whole]);
    file.truncate(file.len() - 3);
    let part = |name: &str, bytes: &[u8]| {
        let mut import = Import::new();
        import.push(bytes);
        Part {
            name: name.to_owned(),
            input: import.finish_any().expect("it is read"),
            clock_offset: None,
        }
    };
    let parts = vec![part("trace.txt", UDP.as_bytes()), part("link.pcap", &file)];
    let opened = Opened::together(parts).expect("a trace and its link");
    let notes = opened.wire.iter().flat_map(|wire| &wire.attachment.notes);
    let told: Vec<String> = opened
        .ledger
        .warnings
        .iter()
        .chain(notes)
        .map(say_of_file)
        .collect();
    expect![[r#"
        Only a part of link.pcap could be read: it ends within a frame that begins at byte 98. Frames before it, which were kept: 1.
        The host under trace is 52:54:00:00:00:02 on the link: its receive path saw the frames sent there, or it sent those that came from there.
        The clock offset is estimated; too small by the shortest way from the link to the first event."#]].assert_eq(&told.join("\n"));
}

#[test]
fn blocks_that_cannot_be_read_are_counted_in_one_note() {
    let mut file = pcapng(false, &[]);
    let first = file.len();
    // Name resolution blocks with a record that is longer than they are.
    for _ in 0..1000 {
        file.extend([4, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0xff, 0xff, 16, 0, 0, 0]);
    }
    let capture = read(&file);
    assert_eq!(capture.ledger.warnings.len(), 1);
    let (_, attachment) = attach(run(UDP), &capture, None);
    let told = attachment.notes.last().map(say_of_file);
    expect!["Blocks of the capture that hold no frame and could not be read: 1,000. The first is at byte 60."].assert_eq(&told.unwrap_or_default());
    assert_eq!(first, 60);
}

/// `tcpdump -i any` tells which way a frame went, and the addresses of neither end; tracepoints alone tell no content.
#[test]
fn a_capture_of_all_devices_is_joined_with_tracepoints_alone() {
    let trace = "\
# kperf 2
1 ev netif_receive_skb ts 5.000010 cpu 0 skb ffff888000000100 len 128 dev eth0 protocol 0x800
2 ev netif_receive_skb ts 5.000030 cpu 0 skb ffff888000000200 len 228 dev eth0 protocol 0x800
";
    let sll2 = [&[8, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 6][..], &PEER, &[0, 0]].concat();
    let frame = |id, bytes, micros: u64| {
        let packet = ipv4(true, 17, id, 0, &udp(40_000, 5001, &vec![0; bytes]));
        Sent {
            time: micros * 1_000,
            bytes: [&sll2[..], &packet].concat(),
        }
    };
    let frames = [frame(7, 100, 1_000), frame(8, 200, 1_020)];
    let capture = read(&pcap(false, true, 276, &frames));
    let (_, attachment) = attach(run(trace), &capture, None);
    assert_eq!((attachment.matched_rx, attachment.unmatched_rx), (2, 0));
}
