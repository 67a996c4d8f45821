//! What a small send buffer costs.

use serde_json::json;

use super::{mbit, run};

/// A connection within a host, whose writer asked for so large a send buffer.
fn within_a_host(kernel: &str, message: u32, buffer: u32) -> f64 {
    let scenario = json!({
        "machine": "epyc-milan-vm", "kernel": kernel, "workload": "host-stream",
        "settings": {
            "connections": 1, "message_bytes": message, "send_buffer_bytes": buffer
        },
        "warmup_us": 20_000, "duration_us": 220_000, "seed": 1
    });
    mbit(&run(&scenario))
}

/// Nobody waits for a timer: a writer without memory lets out what Nagle's algorithm held (`tcp_push` with
/// `TCP_NAGLE_PUSH`), what it fills a piece with goes with the piece's PSH, and a reader acknowledges what it has read
/// up to one (`tcp_cleanup_rbuf`). So a buffer that is smaller than a segment of the loopback device makes a connection
/// slower by what waking up for each of its fillings costs, which is microseconds, and not by a delayed
/// acknowledgement for each, which is 40 ms: a thousandth of the throughput.
#[test]
fn a_small_send_buffer_waits_for_no_timer() {
    for kernel in ["6.1", "6.18"] {
        for message in [1 << 10, 2 << 10, 8 << 10, 48 << 10] {
            let whole = within_a_host(kernel, message, 1 << 22);
            for buffer in [16 << 10, 32 << 10, 64 << 10] {
                let small = within_a_host(kernel, message, buffer);
                let about = format!(
                    "{kernel}, {message} bytes a call, {buffer}: {small:.0} of {whole:.0} Mbit/s"
                );
                println!("{about}");
                assert!(small > whole / 10.0, "{about}");
            }
        }
    }
}
