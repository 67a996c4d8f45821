//! The command line as a user meets it: what it prints and its exit status.

mod captures;
mod convert;
mod cut_off;
#[cfg(target_os = "linux")]
mod endless;
mod help;
mod journeys;
mod moments;
mod runs;
mod spared;
#[cfg(target_os = "linux")]
mod unheard;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use expect_test::expect_file;

const TRACE: &str = "\
# tracer: nop
          <idle>-0       [002] ..s1.     1.000001: softirq_entry: vec=3 [action=NET_RX]
          <idle>-0       [002] ..s1.     1.000002: my_event: a=1
CPU:2 [LOST 7 EVENTS]
damaged
          <idle>-0       [003] ..s1.     1.000003: page_pool_release: a=1
          <idle>-0       [003] ..s1.     1.000004: softirq_exit: vec=3 [action=NET_RX]
";

fn ringside(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ringside"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    // A command that reads nothing closes the pipe first.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends by itself")
}

#[test]
fn summarize_accounts_for_every_line_in_json() {
    let output = ringside(&["summarize", "--json", "-"], TRACE);
    assert_eq!(output.status.code(), Some(0));
    let summary: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(summary["format"], "ftrace");
    assert_eq!(
        summary["lines"],
        serde_json::json!({
            "total": 7, "understood": 3, "skipped": 1, "unknown": 1, "malformed": 1, "lost_markers": 1,
            "left_out": 0,
        })
    );
    assert_eq!(summary["lost_events"], 7);
    assert_eq!(
        summary["unknown_events"],
        serde_json::json!({"my_event": 1})
    );
    assert_eq!(summary["cpus"], 2);
    assert_eq!(summary["first_ns"], 1_000_001_000);
    assert_eq!(summary["last_ns"], 1_000_004_000);
    assert_eq!(summary["events"], 3);
}

#[test]
fn a_part_of_a_file_is_summarized_and_the_rest_accounted_for() {
    let of = |options: &[&str]| {
        let output = ringside(&[&["summarize", "--json"], options, &["-"]].concat(), TRACE);
        assert_eq!(output.status.code(), Some(0), "{options:?}");
        let summary: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("one JSON object");
        (summary["events"].as_u64(), summary["lines"].clone())
    };
    let lines = |understood: u64, left_out: u64| {
        serde_json::json!({
            "total": 7, "understood": understood, "skipped": 1, "unknown": 1, "malformed": 1,
            "lost_markers": 1, "left_out": left_out,
        })
    };
    assert_eq!(of(&["--cpu", "3"]), (Some(1), lines(2, 1)));
    assert_eq!(of(&["--from", "1.000002s"]), (Some(2), lines(2, 1)));
    assert_eq!(of(&["--to", "1.000004s"]), (Some(1), lines(2, 1)));
}

#[test]
fn the_exit_status_tells_a_bad_file_from_a_bad_command() {
    let cases: [(&[&str], i32); 13] = [
        (&["summarize", "-"], 1),
        (&["summarize", "/nowhere/at/all"], 1),
        (&["summarize"], 2),
        (&["summarize", "--cpu", "one", "-"], 2),
        (&["summarize", "--from", "+1s", "-"], 2),
        (&["summarize", "--from", "2s", "--to", "2s", "-"], 2),
        (&["summarize", "--cpu", "1", "--wire", "x.pcap", "-"], 2),
        (&["summarize", "--what", "-"], 2),
        // What would be taken and do nothing.
        (
            &["compare", "--packets", "--seeds", "2", "wc-ring", "wc-ring"],
            2,
        ),
        (&["profile", "--of", "lines", "-"], 2),
        (&["profile", "--of", "time", "--json", "-"], 2),
        (&["told", "--data", "data", "-"], 2),
        (&["dance"], 2),
    ];
    for (arguments, status) in cases {
        let output = ringside(arguments, "no trace at all\n");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(output.stderr.starts_with(b"ringside: "));
    }
}

/// Three datagrams for a socket of which the third finds it full.
const FULL: &str = "\
# kperf 2
1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 dev eth0
2 ev __udp_enqueue_schedule_skb ts 1.000002 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000100 len 64 rmem 768 rcvbuf 2000
3 ev netif_receive_skb ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005000200 len 92 dev eth0
4 ev __udp_enqueue_schedule_skb ts 1.000012 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000200 len 64 rmem 1536 rcvbuf 2000
5 ev netif_receive_skb ts 1.000020 cpu 0 ctx softirq pid 0 skb ffff888005000300 len 92 dev eth0
6 ev kfree_skb ts 1.000023 cpu 0 ctx softirq pid 0 skb ffff888005000300 reason SOCKET_RCVBUFF
";

#[test]
fn findings_are_sentences_for_people_and_values_for_programs() {
    let output = ringside(&["findings", "-"], FULL);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("findings are text");
    assert!(
        text.contains("! 1 packet dropped: SOCKET_RCVBUFF\n"),
        "{text}"
    );

    let output = ringside(&["findings", "--json", "-"], FULL);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(told["file"], "-");
    let found = told["findings"].as_array().expect("a list");
    let drops = found
        .iter()
        .find(|one| one["kind"] == "drops")
        .expect("the drop");
    assert_eq!(drops["severity"], "problem");
    assert_eq!(drops["title"]["code"], "finding.drops");
    assert_eq!(
        drops["title"]["values"],
        serde_json::json!({"count": 1, "reason": "SOCKET_RCVBUFF"})
    );
    assert_eq!(drops["moment_ns"], 23_000);
    assert_eq!(drops["packet"], 2);

    let two = ringside(&["findings", "--wire", "a.pcap", "-", "-"], FULL);
    assert_eq!(two.status.code(), Some(2), "a capture belongs to one trace");
}

/// The header counts what the buffer overwrote; the mark that a CPU's buffer starts late counts nothing.
#[test]
fn what_was_lost_while_recording_is_one_number_wherever_it_is_told() {
    let overrun = "\
# tracer: nop
# entries-in-buffer/entries-written: 3014/35424   #P:2
##### CPU 1 buffer started ####
          <idle>-0       [001] ..s1.     1.000001: softirq_entry: vec=3 [action=NET_RX]
";
    let said = |command, trace: &str| {
        String::from_utf8(ringside(&[command, "-"], trace).stdout).expect("UTF-8")
    };
    let found = said("findings", overrun);
    assert!(found.contains("! 32,410 events were lost"), "{found}");
    let summary = said("summarize", overrun);
    assert!(
        summary.contains("1 of lost events (32410 lost)"),
        "{summary}"
    );

    let uncounted = overrun.replace("35424", "3014");
    let found = said("findings", &uncounted);
    assert!(found.contains("how many is not said"), "{found}");
    assert!(!found.contains("0 events"), "{found}");
}

/// A task may call itself what it wants (`prctl(PR_SET_NAME)`), and a terminal would obey.
#[test]
fn no_control_character_of_a_name_reaches_a_terminal() {
    let hostile = "\u{1b}]0;x\u{7}\u{9b}31m";
    let trace = format!(
        "\
# kperf 2
# comm 5 {hostile}
1 ev udp_rcv ts 0.000001000 cpu 0 ctx softirq pid 0 skb 10 len 72
2 ev udp_enqueue_schedule_skb ts 0.000002000 cpu 0 ctx softirq pid 0 skb 10 sk 20 len 64
3 ev sched_switch ts 0.000003000 cpu 0 ctx kernel pid 0 prev_pid 0 next_comm {hostile} next_pid 5
4 ev skb_consume_udp ts 0.000004000 cpu 0 ctx kernel pid 5 skb 10 sk 20
"
    );
    let names_it = ["journeys", "told", "profile"];
    for command in ["summarize", "findings", "journeys", "told", "profile"] {
        let output = ringside(&[command, "-"], &trace);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let is_control = |letter: char| letter.is_control() && letter != '\n';
        assert!(!text.contains(is_control), "{command}: {text:?}");
        let is_told = text.contains("\u{fffd}]0;x\u{fffd}\u{fffd}31m");
        assert_eq!(is_told, names_it.contains(&command), "{command}: {text}");
    }
    let output = ringside(&["journeys", "--json", "-"], &trace);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!text.contains('\u{1b}'), "JSON escapes it: {text}");
}

/// A source's text may hold anything, as a data file is JSON.
#[test]
fn no_control_character_of_a_data_file_reaches_a_terminal() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile-data");
    fs::create_dir_all(folder.join("machines")).expect("a folder to write into");
    let machine = r#"{"name":"half","based_on":"p4-1.6","processors":{"clock_khz":800000},
        "sources":{"processors.clock_khz":"half\u001b]0;x\u0007"}}"#;
    fs::write(folder.join("machines/half.json"), machine).expect("a file");
    let folder = folder.display().to_string();
    let output = ringside(&["parameters", "--data", &folder, "machines/half"], "");
    let why = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{why}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("half_]0;x_"), "{text:?}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
}

/// Of two datagrams one is said to be freed unread, the other to be read because nothing else was.
#[test]
fn journeys_tell_programs_too_which_ends_are_inferred() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/tracepoints/udp-two-sockets.txt.gz")
        .display()
        .to_string();
    let output = ringside(&["journeys", "--json", &file], "");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let rows = text.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).expect("an object a line");
        ["verdict", "is_inferred", "read"].map(|key| row[key].to_string())
    });
    let expected = [
        ["\"dropped\"", "false", "0"],
        ["\"delivered\"", "true", "64"],
    ];
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

#[test]
fn simulate_reads_a_machine_of_ones_own() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-data");
    fs::create_dir_all(folder.join("machines")).expect("a folder to write into");
    let write = |path: &str, text: &str| fs::write(folder.join(path), text).expect("a file");
    let scenario = r#"{"machine":"half","kernel":"2.6.3","workload":"iperf","duration_us":30000,
        "seed":1}"#;
    write("scenario.json", scenario);
    let throughput = |clock: u32| {
        let machine = format!(
            r#"{{"name":"half","based_on":"p4-1.6","processors":{{"clock_khz":{clock}}}}}"#
        );
        write("machines/half.json", &machine);
        let (folder, scenario) = (folder.clone(), folder.join("scenario.json"));
        let words = [folder.as_path(), scenario.as_path()].map(|path| path.display().to_string());
        let output = ringside(&["simulate", "--data", &words[0], &words[1]], "");
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8(output.stdout).expect("a picture is text");
        let first = text
            .lines()
            .next()
            .and_then(|line| line.split_whitespace().nth(1));
        let mbit: f64 = first.and_then(|word| word.parse().ok()).expect("a number");
        mbit
    };
    let ratio = throughput(1_600_000) / throughput(800_000);
    assert!((1.2..2.5).contains(&ratio), "half the clock: {ratio}");

    let nothing = ringside(&["simulate", "--data", "/nowhere/at/all", "wc-ring"], "");
    assert_eq!(nothing.status.code(), Some(1));
    let said = String::from_utf8_lossy(&nothing.stderr);
    assert!(said.contains("/nowhere/at/all: no .json files"), "{said}");
}

/// A file of one's own that is refused is called as its owner called it, and not as in the repository.
#[test]
fn what_is_refused_of_a_folder_of_ones_own_is_named_by_its_path() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused-data");
    let machine = folder.join("machines").join("half.json");
    fs::create_dir_all(folder.join("machines")).expect("a folder to write into");
    for (text, why) in [
        (r#"{"name":"#, "EOF"),
        (r#"{"name":"other","based_on":"p4-1.6"}"#, "its name"),
    ] {
        fs::write(&machine, text).expect("a file");
        let folder = folder.display().to_string();
        let output = ringside(&["simulate", "--data", &folder, "wc-ring"], "");
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr);
        let expected = format!("ringside: wc-ring: {}: {why}", machine.display());
        assert!(said.starts_with(&expected), "{said}");
    }
}

#[test]
fn told_writes_the_captions_of_a_film_as_web_vtt() {
    let output = ringside(&["told", "--vtt", "--scenario", "go-fragments"], "");
    assert_eq!(output.status.code(), Some(0));
    let captions = String::from_utf8(output.stdout).expect("captions are text");
    expect_file!["captions/go-fragments.vtt"].assert_eq(&captions);
}

#[test]
fn told_wants_one_run() {
    for arguments in [&["told"][..], &["told", "a", "--scenario", "go-fragments"]] {
        let output = ringside(arguments, "");
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(why.contains("which one file"), "{why}");
    }
}

#[test]
fn parameters_says_where_each_comes_from() {
    let output = ringside(
        &[
            "parameters",
            "machines/piii-700-8way-separate",
            "workloads/iperf",
        ],
        "",
    );
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8_lossy(&output.stdout);
    expect_file!["parameters.golden"].assert_eq(&text);
    let output = ringside(&["parameters", "--json", "workloads/chat"], "");
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a JSON list");
    assert_eq!(rows[0]["file"], "workloads/chat");
    assert_eq!(rows.as_array().map(Vec::len), Some(12));
}

#[test]
fn parameters_of_a_file_that_is_not_there_is_wrong_use() {
    let output = ringside(&["parameters", "kernels/9"], "");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.starts_with("ringside: no file \"kernels/9\""),
        "{error}"
    );
}
