//! Departure times where the queueing discipline paces.

use super::*;

/// A current kernel's sender with a round trip of 10 ms and data to send.
fn sender(config: TcpConfig, is_paced: bool) -> Tcb {
    let mut tcb = established(&config.with(|kernel| {
        kernel.recovery = Recovery::Rack;
        kernel.min_tso_segments = 2;
    }));
    tcb.set_paced(is_paced);
    tcb.write(100 * MSS);
    tcb
}

/// The departures of all that may be sent now, in µs.
fn departures(tcb: &mut Tcb, now: SimTime) -> Vec<u64> {
    let sent = send_all(tcb, now).into_iter();
    sent.map(|segment| segment.departs.0 / 1_000_000_000)
        .collect()
}

/// `tcp_update_skb_after_send`: from the tenth segment on each leaves as much later as the one before it takes at the
/// pacing rate, twice the window in a round trip. What was late makes up for it with up to half of that.
#[test]
fn segments_leave_apart_by_their_bytes_at_the_pacing_rate() {
    let mut tcb = sender(config(), true);
    assert_eq!(departures(&mut tcb, ms(10)), [10_000; 10]);
    // The window is 20 segments now, so that 40 go in 10 ms.
    tcb.on_segment(&ack(u64::from(1 + 10 * MSS)), ms(20));
    let second = departures(&mut tcb, ms(20));
    let expected = (0..20).map(|index| 20_000 + if index == 0 { 0 } else { index * 250 - 125 });
    assert_eq!(second, expected.collect::<Vec<u64>>());
}

#[test]
fn without_pacing_no_segment_has_a_departure() {
    let mut tcb = sender(config(), false);
    assert_eq!(departures(&mut tcb, ms(10)), [0; 10]);
    tcb.on_segment(&ack(u64::from(1 + 10 * MSS)), ms(20));
    assert_eq!(departures(&mut tcb, ms(20)), [0; 20]);
}

/// The window grows to half the threshold and beyond: the rate is 120 % of it then.
#[test]
fn congestion_avoidance_has_a_lower_rate_than_slow_start() {
    let mut tcb = sender(config(), true);
    departures(&mut tcb, ms(10));
    tcb.window.ssthresh = 20 * MSS;
    tcb.on_segment(&ack(u64::from(1 + 10 * MSS)), ms(20));
    let second = departures(&mut tcb, ms(20));
    let gap = 10_000 * 100 / (u64::from(tcb.cwnd() / MSS) * 120);
    assert!(
        second[2].abs_diff(second[1] + gap) <= 1,
        "{second:?}, not {gap} apart"
    );
}

/// `tcp_rtt`: a segment is on its way from its departure on.
#[test]
fn a_wait_for_the_departure_is_not_part_of_the_round_trip() {
    let mut tcb = sender(config(), true);
    departures(&mut tcb, ms(10));
    tcb.on_segment(&ack(u64::from(1 + 10 * MSS)), ms(20));
    let second = departures(&mut tcb, ms(20));
    assert!(second[19] > 24_000);
    for (segment, departs) in (1..).zip(second) {
        let acked = u64::from(1 + (10 + segment) * MSS);
        tcb.on_segment(&ack(acked), SimTime::from_us(departs + 10_000));
    }
    assert_eq!(tcb.srtt(), ms(10));
}

/// What is sent without data does not overtake what was sent before.
#[test]
fn an_ack_leaves_behind_the_data_before_it() {
    let mut tcb = sender(config(), true);
    departures(&mut tcb, ms(10));
    tcb.on_segment(&ack(u64::from(1 + 10 * MSS)), ms(20));
    let last = *departures(&mut tcb, ms(20)).last().unwrap();
    let ack = tcb.ack_segment();
    assert!(ack.departs >= SimTime::from_us(last), "{ack:?}");
    assert_eq!(sender(config(), false).ack_segment().departs, SimTime::ZERO);
}

/// `tcp_small_queue_check`: only a connection that is not paced is held to `tcp_limit_output_bytes`.
#[test]
fn a_paced_sender_may_have_a_millisecond_below_it() {
    let limited = config().with(|kernel| kernel.limit_output_bytes = MSS);
    let goes_on = |is_paced, below| {
        let mut tcb = sender(limited, is_paced);
        tcb.next_segment(ms(10), MSS);
        tcb.set_below(below);
        tcb.next_segment(ms(10), MSS).is_some()
    };
    assert!(!goes_on(false, 2 * MSS));
    assert!(goes_on(true, 2 * MSS));
    assert!(!goes_on(true, 2 * MSS + 1));
}
