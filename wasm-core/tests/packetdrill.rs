//! Our scripts in packetdrill's grammar: what the model's TCP claims, and scripts that must fail, each
//! with its first difference. `UPDATE_EXPECT=1 cargo test -p ringside-cli --test all packetdrill` writes those.

#![allow(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{expect, expect_file};
use ringside::export::kperf2;
use ringside::import::Import;
use sim::config::catalogue::Catalogue;
use sim::packetdrill::{Outcome, Refused, run};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

fn scripts(name: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder(name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "pkt"))
        .collect();
    files.sort();
    files
}

fn on(kernel: &str, text: &str) -> Result<Outcome, Refused> {
    let catalogue = Catalogue::shipped().unwrap();
    run(text, catalogue.kernel(kernel).unwrap(), &|_| None)
}

/// The first difference of a script, or why it is not run.
fn told(text: &str) -> String {
    match on("6.1", text) {
        Err(refused) => refused.to_string(),
        Ok(outcome) => match outcome.difference {
            None => "passed".to_owned(),
            Some(difference) => difference.to_string(),
        },
    }
}

#[test]
fn our_scripts_pass() {
    for path in scripts("packetdrill") {
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(told(&text), "passed", "{}", path.display());
    }
}

#[test]
fn scripts_that_are_wrong_fail_where_they_are() {
    let mut all = String::new();
    for path in scripts("packetdrill/wrong") {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        writeln!(all, "{name}:{}", told(&text)).unwrap();
    }
    expect_file![folder("packetdrill/wrong/differences.golden")].assert_eq(&all);
}

/// What is not understood is refused with its line, and not passed over.
#[test]
fn what_is_not_understood_is_refused() {
    let head = "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n";
    let texts = [
        "`iptables -F`\n",
        "`sysctl -q net.ipv4.tcp_abc=1`\n",
        "--no_such_option\n",
        "0 %{ assert tcpi_no_such == 1 }%",
        "0 %{ import os }%",
        "+0 < S 0:0(0) win 10 <mss 1000,fastopen>",
        "+0 < SA 0:0(0) win 10 <mss 1000>",
        "+0 < [tos 0x10] S 0:0(0) win 10 <mss 1000>",
        "+0 < S 0:5(6) win 10",
        "+0 setsockopt(3, SOL_TCP, TCP_INQ, [1], 4) = 0",
        "+0 epoll_create(1) = 4",
        "+0 splice(3) = 0",
        "+0 write(3 = 5",
    ];
    let mut all = String::new();
    for text in texts {
        let whole = format!("{head}{text}");
        writeln!(all, "{text:?}: {}", told(&whole)).unwrap();
    }
    expect![[r#"
        "`iptables -F`\n": 2: not run: command not known: iptables -F
        "`sysctl -q net.ipv4.tcp_abc=1`\n": 2: not run: setting not modelled: net.ipv4.tcp_abc=1
        "--no_such_option\n": 2: not run: option --no_such_option is not known
        "0 %{ assert tcpi_no_such == 1 }%": 2: not run: tcpi_no_such is not known to the model
        "0 %{ import os }%": 2: not run: code: not a plain assert: import os
        "+0 < S 0:0(0) win 10 <mss 1000,fastopen>": 2: not run: TCP option "fastopen" is not modelled
        "+0 < SA 0:0(0) win 10 <mss 1000>": 2: not run: accurate ECN is not modelled
        "+0 < [tos 0x10] S 0:0(0) win 10 <mss 1000>": 2: not run: of IP's header only ECN is modelled (no DSCP, no flow label)
        "+0 < S 0:5(6) win 10": 2: not run: 0:5 are not 6 bytes
        "+0 setsockopt(3, SOL_TCP, TCP_INQ, [1], 4) = 0": 2: not run: socket option TCP_INQ is not modelled
        "+0 epoll_create(1) = 4": 2: not run: call epoll_create is not modelled
        "+0 splice(3) = 0": 2: not run: call splice is not modelled
        "+0 write(3 = 5": 2: not run: expected ")", found "="
    "#]].assert_eq(&all);
}

/// A script's run is written and read back as any other, and its segments make journeys.
#[test]
fn a_run_can_be_written_and_opened() {
    let text = fs::read_to_string(folder("packetdrill/echo.pkt")).unwrap();
    let outcome = on("6.1", &text).unwrap();
    let mut written = Vec::new();
    kperf2(&outcome.run, &mut written).unwrap();
    let mut import = Import::new();
    import.push(&written);
    let read = import.finish().unwrap();
    assert_eq!(read.run.fingerprint(), outcome.run.fingerprint());
}

/// Another kernel's TCP does other things: 2.6.9 begins with three segments.
#[test]
fn the_kernel_matters() {
    let text = "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
        +0 bind(3, ..., ...) = 0
        +0 listen(3, 1) = 0
        +0 < S 0:0(0) win 65535 <mss 1000>
        +0 > S. 0:0(0) ack 1 <...>
        +.02 < . 1:1(0) ack 1 win 65535
        +0 %{ assert tcpi_snd_cwnd == 3, tcpi_snd_cwnd }%";
    assert!(on("2.6.9", text).unwrap().difference.is_none());
    assert!(on("6.1", text).unwrap().difference.is_some());
}

/// A server's connection, with what comes then.
fn connected(then: &str) -> String {
    let before = fs::read_to_string(folder("packetdrill").join("holes.pkt")).unwrap();
    let end = before.find("\n\n").unwrap();
    format!("{}\n{then}\n", &before[..end])
}

/// Numbers at the end of what fits.
#[test]
fn numbers_that_no_kernel_has_do_not_wrap() {
    let later = connected("+10000 < . 1:1(0) ack 1 win 256\n+10000 close(4) = 0");
    assert_eq!(
        told(&later),
        "11: not run: it is later than 18000 seconds, when the model's clock ends"
    );
    let told_of = |then: &str| told(&connected(then));
    for then in [
        "* > . 1:1(0) ack 7",
        "+0 writev(4, [{..., 4294967295}, {..., 4294967295}], 2) = 3",
        "+0 read(4, ..., 4294967295) = 1",
    ] {
        assert!(told_of(then).starts_with("10: "), "{}", told_of(then));
    }
    let sysctl = "`sysctl -q net.ipv4.tcp_rmem=\"1 18446744073709551615 18446744073709551615\"`\n";
    let wide = format!("{sysctl}{}", connected("+0 close(4) = 0"));
    assert_eq!(told(&wide), "passed");
    let descriptor = connected("").replace(
        "socket(..., SOCK_STREAM, IPPROTO_TCP) = 3",
        "socket(..., SOCK_STREAM, IPPROTO_TCP) = 9223372036854775807",
    );
    let descriptor = descriptor
        .replace("(3,", "(9223372036854775807,")
        .replace("= 4", "= ?");
    assert_eq!(told(&descriptor), "passed");
}
