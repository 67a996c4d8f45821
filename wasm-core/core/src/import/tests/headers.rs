//! What `ringside-capture` says before the events.

use super::import;

/// The header that the script writes, with so many events lost of which the kernel's header counts `overwritten`.
fn capture(overwritten: u32, lost: u32) -> String {
    let written = 10 + overwritten;
    format!(
        "\
# tracer: nop
#
# entries-in-buffer/entries-written: 10/{written}   #P:2
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
# ringside-capture 1
# kernel: Linux 6.18.44 #1 SMP PREEMPT_DYNAMIC
# machine: x86_64
# cpus: 2
# clock: mono
# events: net napi skb
# kprobes: none
# nic: eth0
# addresses: hashed
# buffer: 4096 KiB each CPU
# lost: {lost}
# command: curl http://192.0.2.1/: all
          <idle>-0       [000] ..s1.     1.000001: softirq_entry: vec=3 [action=NET_RX]
"
    )
}

#[test]
fn a_capture_says_of_which_kernel_it_is() {
    let run = import(&capture(0, 0)).expect("it is a trace").run;
    let said: Vec<(&str, &str)> = run
        .metadata
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect();
    assert_eq!(
        said,
        [
            ("addresses", "hashed"),
            ("buffer", "4096 KiB each CPU"),
            ("clock", "mono"),
            ("command", "curl http://192.0.2.1/: all"),
            ("cpus", "2"),
            ("events", "net napi skb"),
            ("kernel", "Linux 6.18.44 #1 SMP PREEMPT_DYNAMIC"),
            ("kprobes", "none"),
            ("machine", "x86_64"),
            ("nic", "eth0"),
            ("tracer", "nop"),
        ]
    );
}

/// What was lost is the greater of both counts, as one has the other in it.
#[test]
fn a_capture_says_how_many_events_it_lost() {
    for (overwritten, lost, all) in [(0, 0, 0), (0, 7, 7), (5, 7, 7), (5, 5, 5), (5, 0, 5)] {
        let ledger = import(&capture(overwritten, lost))
            .expect("it is a trace")
            .ledger;
        assert_eq!(ledger.lost(), all, "{overwritten} {lost}");
    }
}

/// Two recordings in one file, of which each says so.
#[test]
fn lost_events_of_recordings_are_added() {
    let both = [capture(5, 7), capture(0, 2)].concat();
    let ledger = import(&both).expect("it is a trace").ledger;
    assert_eq!(ledger.lost(), 9);
}

/// Another's comment is none of the script's.
#[test]
fn without_the_scripts_name_a_comment_is_a_comment() {
    let trace = capture(0, 9).replace("# ringside-capture 1\n", "");
    let imported = import(&trace).expect("it is a trace");
    assert_eq!(imported.run.metadata.get("kernel"), None);
    assert_eq!(imported.ledger.lost(), 0);
}
