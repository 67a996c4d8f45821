//! TCP small queues: how much of a flow may lie between its socket and the wire.

use super::*;

/// Bytes that each process has read after so many milliseconds, of flows that one sender gives
/// to a link of a gigabit and that the receiver's NIC spreads over its queues and CPUs (RSS).
fn read_until(cpus: u32, flows: usize, ms: u32) -> Vec<u64> {
    let settings = json!({ "connections": flows, "cpus": cpus, "peer": "load-generator" });
    let of_all = run(&stream("6.1", &settings, (0, ms), 1)).socket_bytes;
    let readers: Vec<u64> = of_all.into_iter().filter(|&bytes| bytes > 0).collect();
    assert_eq!(readers.len(), flows);
    readers
}

/// Flows that share a sender's device all go on from their start. What TCP hands down is bounded
/// (`tcp_small_queue_check`), so that their device's queue of 1000 packets is never full and no flow
/// loses the end of its window there, after which it would stand still until a timeout of 200 ms
/// and more.
#[test]
fn flows_behind_rss_do_not_stall_at_their_start() {
    const STEP_MS: u32 = 20;
    for cpus in [1, 4] {
        let read: Vec<_> = (0..=10)
            .map(|step| read_until(cpus, 16, 10 + STEP_MS * step))
            .collect();
        for pair in read.windows(2) {
            let moved = pair[0]
                .iter()
                .zip(&pair[1])
                .map(|(before, now)| now - before);
            let least = moved.min().unwrap();
            println!("{cpus} CPUs: {least} bytes at least in {STEP_MS} ms");
            assert!(least > 0, "a flow stood still for {STEP_MS} ms");
        }
    }
}
