//! What happens to datagrams: those in fragments on a link that loses some, and those that are
//! more than a host can take.

use super::held::Held;
use super::*;

/// Fragments: a datagram of n arrives if all of them do, (1 - p)^n of all, while there is memory for pieces. A kernel that
/// evicts old datagrams has it; 6.1 keeps those that never get whole for half a minute, and refuses pieces once they
/// fill what it has (`inet_frag_find`).
#[test]
fn a_datagram_is_lost_with_any_of_its_fragments() {
    let mut held = Held::default();
    for (bytes, fragments) in [(1400, 1), (2900, 2), (5800, 4), (11_800, 8), (23_600, 16)] {
        let datagrams = |kernel: &str, permille: u32| {
            let scenario = json!({
                "machine": "recorder-e1000", "kernel": kernel, "workload": "kperf-generator-udp",
                "settings": { "connections": 1, "message_bytes": bytes,
                    "link_loss_permille": permille, "largest_buffer_bytes": 1 << 26, "receive_buffer_bytes": 1 << 22 },
                "duration_us": 1_000_000.max(125_000 * fragments), "seed": 7
            });
            let measured = run(&scenario);
            (scenario, measured.delivered_bytes as f64 / f64::from(bytes))
        };
        let (_, sent) = datagrams("2.6.12", 0);
        for permille in [5, 20, 50] {
            let (scenario, arrived) = datagrams("2.6.12", permille);
            let law = (1.0 - f64::from(permille) / 1e3).powi(fragments);
            let of = format!("{fragments} fragments, {permille} in 1000 lost");
            println!("{of}: {law:.3} {:.3} of {sent}", arrived / sent);
            held.note(&scenario, &of, law, arrived / sent);
        }
        if fragments == 16 {
            let ((_, sent), (scenario, arrived)) = (datagrams("6.1", 0), datagrams("6.1", 50));
            let law = 0.95_f64.powi(fragments);
            let of = format!("{fragments} fragments, 50 in 1000 lost, memory full");
            held.note_broken(&scenario, &of, law, arrived / sent);
            assert!(arrived / sent < 0.8 * law, "pieces are refused");
        }
    }
    // Chance in ten thousand datagrams with a half lost is good for one in a hundred, thrice over.
    held.all_within(0.97..=1.03);
    held.pin("fragments");
}

/// The same kernel on two hosts of one time and speed, whose drivers differ: one interrupts for
/// each frame, the other is polled.
const INTERRUPTED: &str = "pii-xeon-400-4way";
const POLLED: &str = "fermilab-pii-350";

/// Receive livelock: a host that takes each frame in an interrupt does, from some load on, nothing
/// else, and what it took in is lost before a process reads it; one that polls drops the excess in
/// the NIC and goes on delivering as much as it can (Mogul and Ramakrishnan 1997, figures 6-1 to
/// 6-3). What the law says is the offered load, up to the most that was ever delivered.
#[test]
fn without_polling_overload_ends_in_livelock() {
    let mut held = Held::default();
    for machine in [INTERRUPTED, POLLED] {
        let curve: Vec<(Value, f64, f64)> = [8, 32, 64, 128, 192, 256, 330]
            .into_iter()
            .map(|senders| offered_and_delivered(machine, "6.18", senders))
            .collect();
        let most = curve.iter().map(|point| point.2).fold(0.0, f64::max);
        for (scenario, offered, delivered) in &curve {
            let of = format!("{offered:.0} datagrams a second");
            if machine == POLLED || *offered < most {
                held.note(scenario, &of, offered.min(most), *delivered);
            } else {
                held.note_broken(scenario, &of, offered.min(most), *delivered);
            }
        }
        let (.., last) = curve.last().unwrap();
        assert_eq!(
            *last < most / 4.0,
            machine == INTERRUPTED,
            "{last} of {most}"
        );
    }
    // What waited when the measurement began is read in it.
    held.all_within(0.95..=1.01);
    held.pin("livelock");
}

/// Where softirqs wait for `ksoftirqd` once it is runnable, what interrupts leave of the CPU is shared with the reader
/// (`ksoftirqd_running`, 4.9 to 6.3): for that it was made.
#[test]
fn a_reader_has_its_share_where_softirqs_wait_for_ksoftirqd() {
    let [shared, taken] =
        ["6.1", "6.18"].map(|kernel| offered_and_delivered(INTERRUPTED, kernel, 330));
    assert!(
        shared.2 > 1.5 * taken.2,
        "{:.0} and {:.0} datagrams a second",
        shared.2,
        taken.2
    );
}

/// Datagrams a second that reach a NIC, and that processes read.
fn offered_and_delivered(machine: &str, kernel: &str, senders: u32) -> (Value, f64, f64) {
    let scenario = json!({
        "machine": machine, "kernel": kernel, "workload": "paced-udp",
        "settings": { "cpus": 1, "connections": senders, "message_bytes": 100,
            "peer": "load-generator" },
        "warmup_us": 100_000, "duration_us": 300_000, "seed": 7
    });
    let measured = run(&scenario);
    let seconds = measured.elapsed_fs as f64 / 1e15;
    let offered = (measured.frames_received + measured.rx_missed) as f64 / seconds;
    let delivered = measured.delivered_bytes as f64 / 100.0 / seconds;
    (scenario, offered, delivered)
}
