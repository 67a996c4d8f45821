//! Congestion controls against each other: what the papers that brought them say, whatever their parameters are.

use serde_json::json;

use super::ecn::{marks, sojourns};
use super::qdisc::uploads;
use super::{mbit, median, run, stream};

/// The median Mbit/s of five streams under a congestion control with a round trip of 40 ms and so many of a thousand
/// frames lost.
fn lossy(kernel: &str, control: &str, permille: u32) -> f64 {
    let settings = json!({
        "link_delay_us": 20_000, "link_loss_permille": permille, "tcp_congestion_control": control,
        "largest_buffer_bytes": 1 << 26, "receive_buffer_bytes": 1 << 22, "send_buffer_bytes": 1 << 22
    });
    let mut rates: Vec<f64> = (1..=5)
        .map(|seed| {
            let mut scenario = stream(kernel, &settings, (2000, 12_000), seed);
            scenario["machine"] = json!("recorder-e1000");
            mbit(&run(&scenario))
        })
        .collect();
    let rate = median(&mut rates);
    println!("{kernel}, {control}, {permille} of 1000 lost: {rate:.2} of {rates:.2?} Mbit/s");
    rate
}

/// Xu, Harfoush and Rhee 2004: where losses are seldom and the window is therefore large, BIC has more of it
/// than AIMD, and where they are frequent and it is small, BIC is AIMD.
#[test]
fn bic_has_more_where_windows_are_large_and_as_much_where_they_are_small() {
    let ratio = |permille| lossy("2.6.12", "bic", permille) / lossy("2.6.12", "reno", permille);
    let (seldom, often) = (ratio(1), ratio(30));
    assert!(seldom > 1.25, "{seldom}");
    assert!((0.8..1.25).contains(&often), "{often}");
}

/// What three uploads through `fq_codel` come to, which marks what waited longer than a threshold, with a round trip of
/// 20 ms and 100 Mbit/s.
struct Uploads {
    /// The wait that nineteen of twenty packets do not exceed, in ms.
    wait_ms: f64,
    mbit: f64,
    marks: usize,
}

fn uploads_through_marks(control: &str, ecn: &str, threshold_us: u32) -> Uploads {
    let settings = json!({
        "qdisc": "fq_codel", "ce_threshold_us": threshold_us, "tcp_congestion_control": control, "tcp_ecn": ecn,
        "connections": 4, "link_mbit": 100
    });
    let got = uploads("6.18", &settings, true);
    let run = got.run.unwrap();
    let waits = sojourns(&run);
    let (wait_ms, mbit, marks) = (
        waits[waits.len() * 95 / 100],
        mbit(&got.measured),
        marks(&run),
    );
    println!(
        "{control}, {ecn}, from {threshold_us} us: {wait_ms:.2} ms, {mbit:.2} Mbit/s, {marks} marks"
    );
    Uploads {
        wait_ms,
        mbit,
        marks,
    }
}

/// Alizadeh and others 2010, section 3.3: DCTCP fills the link, and of N senders the queue is no longer than the
/// threshold and N packets, which take 0.12 ms each. Who goes by losses has a longer queue behind the same marks, and who
/// takes a mark for a loss gives more of the window away than there is room behind the threshold.
#[test]
fn dctcp_fills_the_link_with_a_short_queue() {
    for threshold_us in [1_000, 3_000] {
        let longest = f64::from(threshold_us) / 1e3 + 3.0 * 0.1231;
        let dctcp = uploads_through_marks("dctcp", "passive", threshold_us);
        assert!(dctcp.wait_ms < longest && dctcp.marks > 20);
        for control in ["cubic", "reno"] {
            let by_losses = uploads_through_marks(control, "never", threshold_us);
            assert!(by_losses.wait_ms > longest && by_losses.marks == 0);
            assert!(dctcp.mbit > 0.99 * by_losses.mbit);
        }
    }
    let half_for_a_mark = uploads_through_marks("reno", "asks", 1_000);
    let dctcp = uploads_through_marks("dctcp", "asks", 1_000);
    assert!(half_for_a_mark.mbit < 0.97 * dctcp.mbit);
}
