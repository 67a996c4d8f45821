//! What TCP gives on a link, by the books.

use serde_json::{Value, json};

use super::held::Held;
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
    let mut held = Held::default();
    for (permille, ms, seconds) in [
        (50, 5, 8),
        (50, 10, 12),
        (20, 5, 8),
        (10, 5, 12),
        (3, 5, 12),
    ] {
        let (round_trip, rate) = (2e-3 * f64::from(ms), f64::from(permille) / 1e3);
        let (least, most) = (padhye(round_trip, rate), mathis(round_trip, rate));
        let lossy = json!({
            "link_delay_us": ms * 1000, "link_loss_permille": permille,
            "largest_buffer_bytes": 1 << 26, "receive_buffer_bytes": 1 << 22, "send_buffer_bytes": 1 << 22
        });
        let mut rates: Vec<f64> = (1..=9)
            .map(|seed| {
                let mut scenario = stream("6.1", &lossy, (1000, seconds * 1000), seed);
                scenario["machine"] = json!("recorder-e1000");
                let rate = mbit(&run(&scenario));
                let of = format!("Mbit/s, {permille} in 1000 lost, {} ms", 2 * ms);
                held.note(&scenario, &of, most, rate);
                rate
            })
            .collect();
        println!("{permille} permille: {rates:.1?}, not {least:.1} to {most:.1} Mbit/s");
        let seldom = least / 1.5..most * 1.25;
        assert!(rates.iter().all(|rate| seldom.contains(rate)));
        // At 3 in 1000 the two are 14 % apart, and the median of nine runs is known to 5 %.
        assert!((least * 0.95..most).contains(&median(&mut rates)));
    }
    held.pin("mathis");
}

/// A frame that three others overtake costs next to nothing: it is sent again in vain once, and the
/// timestamp of its ACK gives the window back (RFC 3522); from then on RACK waits for it (RFC 8985).
#[test]
fn reordering_costs_a_current_sender_little() {
    let throughput = |permille: u32, seed: u64| {
        let settings = json!({
            "link_delay_us": 5000, "link_reorder_permille": permille,
            "largest_buffer_bytes": 1 << 26, "receive_buffer_bytes": 1 << 22, "send_buffer_bytes": 1 << 22
        });
        mbit(&run(&stream("6.1", &settings, (1000, 3000), seed)))
    };
    for seed in 1..=3 {
        let in_order = throughput(0, seed);
        for permille in [1, 10] {
            let share = throughput(permille, seed) / in_order;
            assert!(share > 0.9, "{permille} in 1000, seed {seed}: {share:.2}");
        }
    }
}

/// Window over round trip: what is in flight is what the receiver offers, and that is what the
/// program asked for with SO_RCVBUF, doubled for the overhead of sk_buffs
/// (`__sock_set_rcvbuf`), less the part that is kept for it (`tcp_win_from_space`): half of it
/// with `tcp_adv_win_scale` 1, a quarter with the 2 of old kernels. The window goes in whole
/// segments, and a round trip has some processing besides the link's delay. What is less than a piece
/// of a millisecond waits for more of the window (`tcp_tso_should_defer`): of 20 ms a twentieth.
#[test]
fn a_window_goes_once_a_round_trip() {
    let mut held = Held::default();
    for (kernel, part) in [("6.1", 0.5), ("2.6.9", 0.75), ("2.4.20", 0.75)] {
        for asked in [65_536, 131_072, 262_144] {
            let buffers = json!({
                "link_delay_us": 10_000, "largest_buffer_bytes": 1 << 26, "receive_buffer_bytes": asked,
                "send_buffer_bytes": 1 << 23
            });
            let scenario = stream(kernel, &buffers, (1000, 2500), 1);
            let measured = mbit(&run(&scenario));
            let law = f64::from(asked) * 2.0 * part * 8.0 / 20e-3 / 1e6;
            held.note(&scenario, "Mbit/s", law, measured);
        }
    }
    held.all_within(0.9..=1.0);
    held.pin("window");
}

/// Segments that a receiver's process reads in each of the first round trips.
fn slow_start(settings: &Value) -> Vec<u64> {
    const ROUND_TRIP_MS: u32 = 40;
    let read_until = |round: u32| {
        let until = ROUND_TRIP_MS * round + ROUND_TRIP_MS / 4;
        let mut scenario = stream("6.1", settings, (0, until), 1);
        scenario["settings"]["link_delay_us"] = json!(ROUND_TRIP_MS * 500);
        run(&scenario).delivered_bytes / 1448
    };
    // They arrive half a round trip after they were sent, and a quarter of one is their time on the wire.
    let read: Vec<u64> = (0..8).map(|round| read_until(round + 1)).collect();
    let rounds = read.windows(2).map(|pair| pair[1] - pair[0]);
    std::iter::once(read[0]).chain(rounds).collect()
}

/// Slow start doubles the window in each round trip, as long as receiver and pipe have room
/// (RFC 5681 section 3.1, with one ACK counting for all that it acknowledges), whatever the
/// receiver merges: its window opens by twice what arrives (`tcp_grow_window`), its buffer by
/// what is read (`tcp_rcv_space_adjust`).
#[test]
fn slow_start_doubles_each_round_trip() {
    let large = json!({ "largest_buffer_bytes": 1 << 26, "receive_buffer_bytes": 1 << 25, "send_buffer_bytes": 1 << 25 });
    let own = json!({});
    for (about, settings) in [("set", &large), ("the kernel's own", &own)] {
        for gro in [true, false] {
            let mut settings = settings.clone();
            settings["gro"] = json!(gro);
            let rounds = slow_start(&settings);
            println!("buffers {about}, GRO {gro}: {rounds:?}");
            let doubled: Vec<u64> = (0..rounds.len()).map(|round| 10 << round).collect();
            for (round, (&read, &law)) in rounds.iter().zip(&doubled).enumerate() {
                let ratio = read as f64 / law as f64;
                assert!((0.95..1.05).contains(&ratio), "round {round}: {rounds:?}");
            }
        }
    }
}
