//! Congestion controls against each other: what the papers that brought them say, whatever their parameters are.

use serde_json::json;

use super::{mbit, median, run, stream};

/// The median Mbit/s of five streams under a congestion control with a round trip of 40 ms and so many of a thousand
/// frames lost.
fn lossy(kernel: &str, control: &str, permille: u32) -> f64 {
    let settings = json!({
        "link_delay_us": 20_000, "link_loss_permille": permille, "tcp_congestion_control": control,
        "receive_buffer_bytes": 1 << 22, "send_buffer_bytes": 1 << 22
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

/// Xu, Harfoush and Rhee 2004, section 4: where losses are seldom and the window is therefore large, BIC has more of it
/// than AIMD, and where they are frequent and it is small, BIC is AIMD.
#[test]
fn bic_has_more_where_windows_are_large_and_as_much_where_they_are_small() {
    let ratio = |permille| lossy("2.6.12", "bic", permille) / lossy("2.6.12", "reno", permille);
    let (seldom, often) = (ratio(1), ratio(30));
    assert!(seldom > 1.25, "{seldom}");
    assert!((0.8..1.25).contains(&often), "{often}");
}
