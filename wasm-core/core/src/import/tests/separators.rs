//! Commas between arguments that an editor has made semicolons: the arguments are what they were. A value that is none
//! costs its line, which the ledger tells.

use super::import;

/// Events that print commas.
const LINES: [&str; 4] = [
    "sock_recv_length: sk address = 00000000a1, family = AF_INET protocol = IPPROTO_TCP, length = 64, error = 0, flags = 0x0",
    "sock_send_length: sk address = 00000000a1, family = AF_INET6 protocol = 0x11, length = 0, error = -11, flags = 0x40",
    "sock_recv_length: sk address = 00000000a1, family = 0x10 protocol = 0x6, length = 20, error = 0, flags = 0x0",
    "sys_sendto(fd: 4, buff: 7ffe, len: 12, flags: 0, addr: 7ffe, addr_len: 10)",
];

fn line(event: &str) -> String {
    format!("          python3-7       [001] .....   100.000001: {event}\n")
}

#[test]
fn semicolons_between_arguments_are_read_as_commas() {
    for event in LINES {
        let read = |text: &str| import(&line(text)).expect("a trace").run.fingerprint();
        assert_eq!(read(&event.replace(',', ";")), read(event), "{event}");
    }
}

#[test]
fn a_family_or_a_protocol_that_is_none_is_told_in_the_ledger() {
    for (whole, damaged) in [
        ("AF_INET ", "AF_INEX "),
        ("AF_INET ", " "),
        ("IPPROTO_TCP", "IPPROTO_TPC"),
        ("IPPROTO_TCP", "?"),
    ] {
        let event = LINES[0].replace(whole, damaged);
        let imported = import(&line(&event)).expect("a trace");
        assert_eq!(
            (imported.run.len(), imported.ledger.malformed),
            (0, 1),
            "{event}"
        );
    }
    let event = LINES[3].replace("len: 12", "len: zz");
    let imported = import(&line(&event)).expect("a trace");
    assert_eq!((imported.run.len(), imported.ledger.malformed), (0, 1));
}

/// Those that the kernel has names for (`include/trace/events/sock.h`, v6.18).
#[test]
fn every_protocol_that_the_kernel_names_is_read() {
    for (name, number) in [("DCCP", 33), ("SCTP", 132), ("MPTCP", 262), ("TCP", 6)] {
        let event = LINES[0].replace("IPPROTO_TCP", &format!("IPPROTO_{name}"));
        let numbered = LINES[0].replace("IPPROTO_TCP", &format!("{number:#x}"));
        let read = |text: &str| import(&line(text)).expect("a trace").run.fingerprint();
        assert_eq!(read(&event), read(&numbered), "{name}");
    }
}
