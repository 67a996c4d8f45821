//! Tests of the parts: tokens, times, code, commands.

use std::collections::BTreeMap;

use super::parse::parse;
use super::python::{self, Statement};
use super::script::{TcpOption, What, When};
use super::shell;

fn no_file(_: &str) -> Option<String> {
    None
}

#[test]
fn every_kind_of_time_is_read() {
    let text = "0 close(3) = 0\n+.1 close(3) = 0\n 1.5 close(3) = 0 # here\n* > . 1:1(0) ack 1
        +.3~+.31 > . 1:1(0) ack 1 /* a
        comment */ 2~2.5 > . 1:1(0) ack 1\n+.1...0.200 close(3) = 0 // there";
    let script = parse(text, &no_file).unwrap();
    let times: Vec<When> = script.events.iter().map(|event| event.when).collect();
    assert_eq!(
        times,
        [
            When::At(0),
            When::After(100_000),
            When::At(1_500_000),
            When::Any,
            When::BetweenAfter(300_000, 310_000),
            When::Between(2_000_000, 2_500_000),
            When::After(100_000),
        ]
    );
    assert_eq!(script.events[5].line, 6);
    let What::Call(call) = &script.events[6].what else {
        panic!("a call");
    };
    assert_eq!(call.ends, Some(200_000));
}

/// It would pass with any TCP.
#[test]
fn a_script_that_tests_nothing_is_refused() {
    for text in [
        "",
        "\n\n",
        "// no more\n",
        "--tolerance_usecs=5\n",
        "0 `true`\n",
    ] {
        let refused = parse(text, &no_file).unwrap_err();
        assert!(
            refused.why.contains("can pass or fail"),
            "{text}: {refused}"
        );
    }
}

#[test]
fn options_are_read_in_their_order() {
    let text =
        "0 < S. 0:0(0) ack 1 win 5 <mss 7,sackOK,TS val 1 ecr 2,nop,wscale 3,sack 1:2 3:4,eol>";
    let script = parse(text, &no_file).unwrap();
    let What::Packet(packet) = &script.events[0].what else {
        panic!("a packet");
    };
    assert_eq!(
        packet.options.as_deref().unwrap(),
        [
            TcpOption::Mss(7),
            TcpOption::SackPermitted,
            TcpOption::Timestamps(1, 2),
            TcpOption::Nop,
            TcpOption::Scale(3),
            TcpOption::Sack(vec![(1, 2), (3, 4)]),
            TcpOption::End,
        ]
    );
}

/// What a condition comes to, with `a` = 5.
fn holds(condition: &str) -> bool {
    let code = format!("assert {condition}, 'a; # no comment'");
    let statements = python::parse(&code, 1).unwrap();
    let [Statement::Assert(condition, _)] = &statements[..] else {
        panic!("one assert");
    };
    let names = BTreeMap::from([("a", 5)]);
    condition.value(&|name| names.get(name).copied()).unwrap() != 0
}

#[test]
fn conditions_are_pythons() {
    assert!(holds("a == 5"));
    assert!(holds("a==5 and not a != 5"));
    assert!(!holds("a < 5 or a > 5"));
    assert!(holds("(a + 1) * 2 - 2 * 6 == 0"));
    assert!(holds("a // 2 == 2 and a % 2 == 1 and -a == 0 - 5"));
    assert!(holds("a <= 0x5 and a >= 5"));
    assert!(!holds("a == 4 or a == 6 and a == 5"));
}

#[test]
fn code_goes_over_lines_and_gives_names_numbers() {
    let code = "print(1)\nb = 2; b += 3  # five\nassert (b ==\n  5), b\n";
    let statements = python::parse(code, 10).unwrap();
    assert_eq!(statements.len(), 3);
    assert_eq!(python::parse("\nimport os", 10).unwrap_err().line, 11);
}

#[test]
fn commands_set_what_they_say() {
    let commands =
        "../common/defaults.sh\nsysctl -q net.ipv4.tcp_sack=0 net/ipv4/tcp_wmem=\"1 2 3\"
        set_sysctls.py /proc/sys/net/ipv4/tcp_timestamps=0 \\\n /proc/sys/net/ipv4/tcp_retries2=4
        # nothing\n";
    let settings = shell::read(commands, 1, &no_file).unwrap();
    let number = |name: &str| settings.number(&format!("net.ipv4.tcp_{name}"));
    assert_eq!(number("sack"), Some(0));
    assert_eq!(number("timestamps"), Some(0));
    assert_eq!(number("retries2"), Some(4));
    assert_eq!(number("slow_start_after_idle"), Some(0));
    assert_eq!(settings.last("net.ipv4.tcp_wmem"), Some(3));
    let refused = shell::read("true\nreboot", 7, &no_file).unwrap_err();
    assert_eq!(
        (refused.line, refused.why.as_str()),
        (8, "command not known: reboot")
    );
}

#[test]
fn a_set_up_file_beside_the_script_is_read() {
    let file = |name: &str| {
        (name == "../common/defaults.sh").then(|| "sysctl -q net.ipv4.tcp_sack=0".to_owned())
    };
    let settings = shell::read("../common/defaults.sh", 1, &file).unwrap();
    assert_eq!(settings.number("net.ipv4.tcp_sack"), Some(0));
    assert_eq!(settings.number("net.ipv4.tcp_timestamps"), None);
}

/// Sequence numbers have 32 bits, the length of a packet and the window 16.
#[test]
fn what_no_header_holds_is_refused_with_its_line() {
    for text in [
        "+0 < . 1:1(0) ack 99999999999 win 5",
        "+0 > . 4294967296:4294967296(0) ack 1",
        "+0 < . 1:1(0) ack 1 win 5 <sack 99999999999:3>",
        "+0 < . 1:1(0) ack 1 win 5 <sack 3:99999999999>",
        "+0 < . 0:70000(70000) ack 1 win 5",
        "+0 < . 1:1(0) ack 1 win 65536",
    ] {
        let refused = parse(&format!("\n{text}\n"), &no_file).unwrap_err();
        assert_eq!(refused.line, 2, "{text}");
        assert!(
            refused.why.ends_with("is out of range"),
            "{text}: {}",
            refused.why
        );
    }
}

/// Whatever is within itself again and again, and each time that no clock reaches.
#[test]
fn what_has_no_end_is_refused_with_its_line() {
    let many = |text: &str| text.repeat(100_000);
    let times = [
        "+18001 close(3) = 0",
        "9223372036854775807 close(3) = 0",
        "+0~+20000 > . 1:1(0) ack 1",
        "0...99999999999 accept(3, ..., ...) = 4",
        "--tolerance_usecs=9223372036854775807",
        "--tolerance_usecs=-1",
    ];
    let deep = [
        format!("0 writev(4, {}", many("[")),
        format!("0 writev(4, {}", many("{")),
        format!("0 writev(4, {}", many("a=")),
        format!("0 writev(4, {}", many("a(")),
        format!("0 %{{ assert {} }}%", many("(")),
        format!("0 %{{ assert {}1 }}%", many("not ")),
        format!("0 %{{ assert {}1 }}%", many("-")),
        format!("0 %{{ assert {}1 }}%", many("1 + ")),
        format!("0 %{{ assert {}1 }}%", many("1 or ")),
    ];
    for text in times.into_iter().chain(deep.iter().map(String::as_str)) {
        let refused = parse(&format!("\n{text}\n"), &no_file).unwrap_err();
        assert_eq!(refused.line, 2, "{text:.40}");
        assert!(refused.why.len() < 300, "{text:.40}");
    }
    let itself = |_: &str| Some("true\n./defaults.sh".to_owned());
    let refused = shell::read("./defaults.sh", 1, &itself).unwrap_err();
    assert_eq!(refused.why, "more than 8 files that read each other");
}

/// Seven files, each of which reads the next one twenty times.
#[test]
fn set_up_files_that_read_each_other_often_are_refused() {
    let next = |name: &str| {
        let depth: u32 = name.split('/').next()?.parse().ok()?;
        let next = format!("{}/defaults.sh\n", depth + 1);
        (depth < 7).then(|| next.repeat(20)).or(Some(String::new()))
    };
    let refused = shell::read("1/defaults.sh", 1, &next).unwrap_err();
    assert_eq!(refused.why, "more than 64 files are read");
}
