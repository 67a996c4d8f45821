//! What TCP gives on a link, by the books.

use serde_json::json;

use super::{mbit, median, run, stream};

/// Mbit/s of segments of 1448 bytes with so many of them lost, where nothing but the window's
/// growth by a segment a round trip and its halving matters: C MSS / (RTT sqrt p) with
/// C = sqrt(3/2), since Linux counts every segment (Mathis, Semke, Mahdavi, Ott 1997,
/// equation 3). CUBIC gives as much where its own curve is slower (RFC 9438 section 4.3).
fn mathis(round_trip: f64, rate: f64) -> f64 {
    1448.0 * 8.0 / 1e6 / (round_trip * (2.0 * rate / 3.0).sqrt())
}

/// The same with timeouts, of which Mathis has none and this has all that three duplicate
/// ACKs without SACK cannot spare (Padhye, Firoiu, Towsley, Kurose 1998, equation 30).
fn padhye(round_trip: f64, rate: f64) -> f64 {
    let timeout = 0.2 + round_trip;
    let timeouts = (3.0 * (3.0 * rate / 8.0).sqrt()).min(1.0);
    let waits = timeout * timeouts * rate * (1.0 + 32.0 * rate * rate);
    1448.0 * 8.0 / 1e6 / (round_trip * (2.0 * rate / 3.0).sqrt() + waits)
}

/// Loss against throughput. SACK spares some of Padhye's timeouts, so that a run lies between
/// the two; chance in the few hundred losses of a run is good for a quarter in the window and
/// for half as many or as few timeouts.
#[test]
fn loss_costs_what_the_square_root_of_its_rate_says() {
    for (permille, ms, seconds) in [(50, 5, 8), (50, 10, 12), (10, 5, 12)] {
        let (round_trip, rate) = (2e-3 * f64::from(ms), f64::from(permille) / 1e3);
        let (least, most) = (padhye(round_trip, rate), mathis(round_trip, rate));
        let lossy = json!({
            "link_delay_us": ms * 1000, "link_loss_permille": permille,
            "receive_buffer_bytes": 1 << 22, "send_buffer_bytes": 1 << 22
        });
        let mut rates: Vec<f64> = (1..=9)
            .map(|seed| {
                let mut scenario = stream("6.1", &lossy, (1000, seconds * 1000), seed);
                scenario["machine"] = json!("recorder-e1000");
                mbit(&run(&scenario))
            })
            .collect();
        println!("{permille} permille: {rates:.1?}, not {least:.1} to {most:.1} Mbit/s");
        let seldom = least / 1.5..most * 1.25;
        assert!(rates.iter().all(|rate| seldom.contains(rate)));
        assert!((least..most).contains(&median(&mut rates)));
    }
}
