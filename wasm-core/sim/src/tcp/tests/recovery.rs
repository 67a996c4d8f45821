//! A current kernel's sender: RACK, PRR, the tail loss probe, HyStart, the size of pieces, corking.

use super::*;

/// A current kernel's settings.
fn current() -> TcpConfig {
    cubic(true).with(|kernel| {
        kernel.recovery = Recovery::Rack;
        kernel.loss_probe = true;
        kernel.min_tso_segments = 2;
        kernel.pushes_large_pieces = true;
    })
}

/// Segments of ten that are on their way from 10 ms on, with a round trip of 10 ms.
fn ten_sent() -> Tcb {
    let mut tcb = established(&current());
    tcb.write(10 * MSS);
    assert_eq!(send_all(&mut tcb, ms(10)).len(), 10);
    tcb
}

/// What an ACK at 1 with these blocks leads to.
fn sacked(tcb: &mut Tcb, blocks: &[(u32, u32)], now: SimTime) -> Vec<Segment> {
    let mut segment = ack(1);
    for &(from, to) in blocks {
        segment.sack.push(from * MSS, to * MSS);
    }
    tcb.on_segment(&segment, now);
    send_all(tcb, now)
}

/// RFC 8985 §6.2: with one segment delivered and no reordering seen, a quarter of the round trip (and the
/// timer's 2 ms) is waited; all that was sent before is lost then.
#[test]
fn rack_waits_for_reordering() {
    let mut tcb = ten_sent();
    assert!(sacked(&mut tcb, &[(7, 8)], ms(20)).is_empty());
    assert_eq!(tcb.ca_state(), CaState::Disorder);
    let due = SimTime(20 * MS + 10 * MS / 4 + 2 * MS);
    assert_eq!(tcb.next_timer(), due);
    assert_eq!(tcb.on_timer(due), TimerOutcome::Retransmit);
    assert_eq!(tcb.ca_state(), CaState::Recovery);
    assert_eq!(tcb.marked(), [1, 7, 0]);
    let again = send_all(&mut tcb, due);
    assert_eq!((again[0].seq, again.len()), (1, 1));
}

/// Three segments above a hole, and no reordering seen: the hole is lost at once.
#[test]
fn three_above_a_hole_are_enough() {
    let mut tcb = ten_sent();
    assert!(sacked(&mut tcb, &[(1, 3)], ms(20)).is_empty());
    let again = sacked(&mut tcb, &[(1, 4)], ms(20));
    assert_eq!(again[0].seq, 1);
    assert!(again[0].is_retransmission);
    assert_eq!(tcb.ssthresh() / MSS, 7);
}

/// An ACK of the first four segments at 21 ms that answers what was sent at `sent`.
fn answered(tcb: &mut Tcb, sent: SimTime) {
    let mut late = ack(4 * u64::from(MSS) + 1);
    late.echoed = segment::timestamp(sent);
    tcb.on_segment(&late, ms(21));
}

/// RFC 3522: the original arrives after all, so nothing was lost: the windows are as before, and more
/// overtaking is believed from now on.
#[test]
fn the_window_is_given_back_when_a_segment_was_only_overtaken() {
    let mut tcb = ten_sent();
    let before = tcb.ssthresh();
    assert!(sacked(&mut tcb, &[(1, 4)], ms(20))[0].is_retransmission);
    assert!(tcb.ssthresh() < before);
    answered(&mut tcb, ms(10));
    assert_eq!(tcb.ca_state(), CaState::Open);
    assert_eq!(tcb.ssthresh(), before);
    assert!(tcb.cwnd() >= 10 * MSS);
    assert_eq!(tcb.reordering_seen(), 1);
}

/// An ACK that answers the copy tells nothing: the segment may have been lost.
#[test]
fn the_window_stays_reduced_when_the_copy_was_needed() {
    let mut tcb = ten_sent();
    assert!(sacked(&mut tcb, &[(1, 4)], ms(20))[0].is_retransmission);
    answered(&mut tcb, ms(20));
    assert_eq!(tcb.ca_state(), CaState::Recovery);
    assert_eq!(tcb.ssthresh() / MSS, 7);
    assert_eq!(tcb.reordering_seen(), 0);
}

/// RFC 6937: the window comes down to the threshold step by step, one segment out for each in.
#[test]
fn the_window_shrinks_in_proportion() {
    let mut tcb = ten_sent();
    tcb.write(10 * MSS);
    sacked(&mut tcb, &[(1, 4)], ms(20));
    for above in 5..=10 {
        let sent = sacked(&mut tcb, &[(1, above)], ms(21));
        assert_eq!(sent.len(), 1, "{above}");
    }
    tcb.on_segment(&ack(10 * u64::from(MSS) + 1), ms(30));
    assert_eq!(tcb.ca_state(), CaState::Open);
    assert_eq!(tcb.cwnd() / MSS, 7);
}

/// What was sent again and is overtaken by what was sent still later is lost once more.
#[test]
fn a_lost_copy_is_noticed() {
    let mut tcb = ten_sent();
    tcb.write(10 * MSS);
    sacked(&mut tcb, &[(1, 10)], ms(20));
    let new = send_all(&mut tcb, ms(21));
    assert!(new.iter().all(|segment| !segment.is_retransmission));
    let again = sacked(&mut tcb, &[(1, 14)], ms(60));
    assert!(again.iter().any(|segment| segment.seq == 1), "{again:?}");
}

/// RFC 8985 §7: after two round trips of silence the last segment goes again, and no window is lost.
#[test]
fn a_silent_tail_is_probed() {
    let mut tcb = ten_sent();
    let due = ms(10 + 2 * 10 + 2);
    assert_eq!(tcb.next_timer(), due);
    tcb.on_timer(due);
    let probe = send_all(&mut tcb, due);
    assert_eq!(probe.len(), 1);
    assert_eq!(probe[0].seq, 9 * u64::from(MSS) + 1);
    assert_eq!((tcb.ca_state(), tcb.cwnd()), (CaState::Open, 10 * MSS));
    assert_eq!(tcb.next_timer(), due + tcb.rto());
}

/// `tcp_rearm_rto`: if the timer of a probe finds one in flight, what is left of the timeout is waited for, not a whole one.
#[test]
fn a_second_probe_waits_for_the_rest_of_the_timeout() {
    let mut tcb = ten_sent();
    let due = tcb.next_timer();
    tcb.on_timer(due);
    send_all(&mut tcb, due);
    // New data while the first probe is in flight arm the timer for another.
    tcb.on_segment(&ack(u64::from(MSS) + 1), due);
    let oldest = ms(10);
    let second = tcb.next_timer();
    assert!(second < oldest + tcb.rto());
    tcb.on_timer(second);
    assert!(send_all(&mut tcb, second).is_empty());
    assert_eq!(tcb.next_timer(), oldest + tcb.rto());
}

/// Karn's algorithm: without timestamps an ACK of what was sent twice tells neither a round trip nor that the path is as
/// quick as before, so the timeout stays doubled.
#[test]
fn an_ack_of_a_copy_ends_the_back_off_only_with_timestamps() {
    for (timestamps, factor) in [(true, 1), (false, 2)] {
        let mut tcb = established(&TcpConfig {
            timestamps,
            ..current().with(|kernel| kernel.loss_probe = false)
        });
        tcb.write(10 * MSS);
        send_all(&mut tcb, ms(10));
        let due = tcb.next_timer();
        assert_eq!(tcb.on_timer(due), TimerOutcome::Retransmit);
        send_all(&mut tcb, due);
        let later = due + ms(10);
        let srtt = tcb.srtt();
        // The first was sent twice, the second once.
        tcb.on_segment(&ack(2 * u64::from(MSS) + 1), later);
        assert_eq!(tcb.srtt() != srtt, timestamps, "a sample");
        let rto = SimTime(tcb.rto().0 * factor);
        assert_eq!(tcb.next_timer(), later + rto, "{timestamps}");
    }
}

/// A lone segment's ACK may be delayed by its receiver: the least timeout is waited beside.
#[test]
fn a_lone_segment_is_probed_later() {
    let mut tcb = established(&current());
    tcb.write(MSS);
    send_all(&mut tcb, ms(10));
    assert_eq!(tcb.next_timer(), ms(10) + tcb.rto());
}

/// HyStart: nine samples of a round that are an eighth above the least end slow start.
#[test]
fn growing_delay_ends_slow_start() {
    let mut tcb = ten_sent();
    tcb.write(100 * MSS);
    tcb.on_segment(&ack(10 * u64::from(MSS) + 1), ms(20));
    send_all(&mut tcb, ms(20));
    assert_eq!(tcb.cwnd(), 20 * MSS);
    for round in 0..12 {
        tcb.on_segment(&ack((11 + round) * u64::from(MSS) + 1), ms(40 + 3 * round));
    }
    assert_eq!(tcb.ssthresh(), 28 * MSS);
}

/// Half of the window at most, and what goes in a millisecond: two segments here (`tcp_tso_autosize`). A
/// piece of several has PSH.
#[test]
fn pieces_follow_the_rate() {
    let mut tcb = established(&current());
    tcb.write(9 * MSS);
    let mut sent = Vec::new();
    while let Some(segment) = tcb.next_segment(ms(10), 65_536) {
        sent.push((segment.len / MSS, segment.flags.contains(Flags::PSH)));
    }
    let two = (2, true);
    assert_eq!(sent, [two, two, two, two, (1, true)]);
}

/// `TCP_CORK` and `MSG_MORE` hold less than a segment until the time of a probe; then it goes with PSH.
#[test]
fn a_cork_holds_for_a_while() {
    let mut tcb = established(&current());
    tcb.set_cork(true);
    tcb.write(40);
    assert!(send_all(&mut tcb, ms(10)).is_empty());
    let due = tcb.next_timer();
    assert_eq!(due, ms(10) + tcb.rto());
    assert_eq!(tcb.on_timer(due), TimerOutcome::Probe);
    let sent = send_all(&mut tcb, due);
    assert_eq!((sent[0].len, sent[0].flags), (40, Flags::PSH | Flags::ACK));
    tcb.write(40);
    tcb.set_cork(false);
    tcb.set_no_delay(true);
    assert_eq!(send_all(&mut tcb, due).len(), 1);
}

/// `tcp_fin` before any data: no time was measured by which its ACK could wait.
#[test]
fn a_first_fin_is_acknowledged_at_the_next_tick() {
    let mut tcb = established(&current());
    let fin = Segment {
        flags: Flags::FIN | Flags::ACK,
        ..ack(1)
    };
    tcb.on_segment(&fin, ms(21));
    assert_eq!(tcb.next_timer(), ms(24));
    assert_eq!(tcb.on_timer(ms(24)), TimerOutcome::SendAck);
}

/// A probe of a closed window is no sending: the window restarts only when it opens.
#[test]
fn probes_do_not_restart_the_window() {
    let mut tcb = ten_sent();
    let closed = Segment {
        window: 0,
        ..ack(10 * u64::from(MSS) + 1)
    };
    tcb.on_segment(&closed, ms(20));
    let cwnd = tcb.cwnd();
    tcb.write(5 * MSS);
    assert!(send_all(&mut tcb, ms(20)).is_empty());
    let due = tcb.next_timer();
    tcb.on_timer(due);
    assert_eq!(send_all(&mut tcb, due).len(), 1);
    assert_eq!(tcb.cwnd(), cwnd);
    tcb.on_segment(&ack(10 * u64::from(MSS) + 1), ms(3_000));
    send_all(&mut tcb, ms(3_000));
    assert_eq!(tcb.cwnd(), 10 * MSS);
}

/// RFC 1122 §4.2.2.13: data for a side that has closed both ways is answered by a reset.
#[test]
fn data_that_nobody_will_read_is_refused() {
    let mut tcb = established(&current());
    tcb.shut_receive();
    tcb.close();
    send_all(&mut tcb, ms(10));
    let received = tcb.on_segment(&data(1, 100), ms(20));
    assert!(received.refuses);
    assert_eq!(tcb.state(), State::Closed);
}
