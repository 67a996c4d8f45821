//! The handshake and the teardown, state by state: RFC 9293 §3.5 and §3.6.
//! The segments are made by hand: one end is under test, the test is the other.

use super::*;

#[test]
fn a_handshake_agrees_on_the_smaller_mss_and_on_sack() {
    let mut client = Tcb::new(&config());
    let syn = client.connect(ms(0));
    assert_eq!((syn.seq, syn.end(), syn.flags), (0, 1, Flags::SYN));
    assert_eq!(client.state(), State::SynSent);
    let small = TcpConfig {
        mss: 536,
        ..config().with(|kernel| kernel.sack = false)
    };
    let (mut server, syn_ack) = Tcb::listen_accept(&syn, &small, ms(5));
    assert_eq!(server.state().to_string(), "TCP_SYN_RECV");
    assert_eq!(syn_ack.flags, Flags::SYN | Flags::ACK);
    let received = client.on_segment(&syn_ack, ms(10));
    assert_eq!(received.became, Some(State::Established));
    assert_eq!(received.send_ack, AckNeed::Now);
    assert_eq!((client.mss(), client.cwnd()), (536, 5_360));
    assert_eq!(client.srtt(), ms(10));
    let received = server.on_segment(&client.ack_segment(), ms(15));
    assert_eq!(received.became, Some(State::Established));
    assert_eq!(server.srtt(), ms(10));
    assert_eq!(server.next_timer(), SimTime::NEVER);
}

#[test]
fn a_lost_syn_is_sent_again_with_doubled_timeouts_then_given_up() {
    let mut tcb = Tcb::new(&config());
    tcb.connect(ms(0));
    let mut seconds = 1;
    for doubled in 1..=6 {
        assert_eq!(tcb.next_timer(), ms(seconds * 1_000));
        assert_eq!(tcb.on_timer(tcb.next_timer()), TimerOutcome::Retransmit);
        let syn = tcb.next_segment(ms(seconds * 1_000), MSS).expect("the SYN");
        assert!(syn.is_retransmission && syn.flags == Flags::SYN);
        assert_eq!(tcb.next_segment(ms(seconds * 1_000), MSS), None);
        seconds += 1 << doubled;
    }
    assert_eq!(tcb.on_timer(tcb.next_timer()), TimerOutcome::GaveUp);
    assert_eq!(tcb.state(), State::Closed);
}

#[test]
fn a_syn_that_comes_again_is_answered_again() {
    let syn = Tcb::new(&config()).connect(ms(0));
    let (mut server, first) = Tcb::listen_accept(&syn, &config(), ms(1));
    assert!(server.on_segment(&syn, ms(2)).can_send);
    let again = server.next_segment(ms(2), MSS).expect("a SYN-ACK");
    assert_eq!((again.flags, again.ack), (first.flags, first.ack));
}

#[test]
fn both_may_open_at_once() {
    let mut one = Tcb::new(&config());
    let mut two = Tcb::new(&config());
    let syns = [one.connect(ms(0)), two.connect(ms(0))];
    assert_eq!(
        one.on_segment(&syns[1], ms(1)).became,
        Some(State::SynReceived)
    );
    assert_eq!(
        two.on_segment(&syns[0], ms(1)).became,
        Some(State::SynReceived)
    );
    let from_one = one.next_segment(ms(1), MSS).expect("a SYN-ACK");
    let from_two = two.next_segment(ms(1), MSS).expect("a SYN-ACK");
    assert_eq!(
        one.on_segment(&from_two, ms(2)).became,
        Some(State::Established)
    );
    assert_eq!(
        two.on_segment(&from_one, ms(2)).became,
        Some(State::Established)
    );
}

#[test]
fn a_reset_closes_if_it_is_exact_and_is_challenged_if_not() {
    let mut tcb = established(&config());
    let reset = Segment {
        seq: 500,
        flags: Flags::RST,
        ..Segment::default()
    };
    let received = tcb.on_segment(&reset, ms(20));
    assert_eq!((received.became, received.send_ack), (None, AckNeed::Now));
    let received = tcb.on_segment(&Segment { seq: 1, ..reset }, ms(20));
    assert_eq!(received.became, Some(State::Closed));
    assert!(received.is_reset);
    let mut refused = Tcb::new(&config());
    let syn = refused.connect(ms(0));
    assert!(
        refused
            .on_segment(&Segment::reset_for(&syn), ms(1))
            .is_reset
    );
}

#[test]
fn the_closer_passes_fin_wait_and_time_wait() {
    let mut tcb = established(&config());
    tcb.write(100);
    tcb.close();
    assert_eq!(tcb.state(), State::FinWait1);
    let fin = tcb.next_segment(ms(20), MSS).expect("data and FIN");
    assert_eq!((fin.len, fin.end()), (100, 102));
    assert!(fin.flags.contains(Flags::FIN | Flags::PSH));
    let received = tcb.on_segment(&ack(102), ms(30));
    assert_eq!(
        (received.became, received.acked),
        (Some(State::FinWait2), 100)
    );
    let their_fin = Segment {
        flags: Flags::FIN | Flags::ACK,
        ..ack(102)
    };
    let received = tcb.on_segment(&their_fin, ms(40));
    assert_eq!(received.became, Some(State::TimeWait));
    assert!(received.fin && received.send_ack == AckNeed::Now);
    assert_eq!(tcb.ack_segment().ack, 2);
    assert_eq!(tcb.on_segment(&their_fin, ms(50)).send_ack, AckNeed::Now);
    tcb.ack_segment();
    assert_eq!(tcb.next_timer(), ms(60_050));
    assert_eq!(tcb.on_timer(ms(60_050)), TimerOutcome::TimeWaitOver);
    assert_eq!(tcb.state().to_string(), "TCP_CLOSE");
}

#[test]
fn the_other_side_passes_close_wait_and_last_ack() {
    let mut tcb = established(&config());
    let fin = Segment {
        flags: Flags::FIN | Flags::ACK,
        ..data(1, 100)
    };
    let received = tcb.on_segment(&fin, ms(20));
    assert_eq!(
        (received.became, received.in_order),
        (Some(State::CloseWait), 100)
    );
    assert_eq!(
        received.send_ack,
        AckNeed::Delayed,
        "it may ride on our FIN"
    );
    tcb.close();
    let ours = tcb.next_segment(ms(21), MSS).expect("a FIN");
    assert_eq!((ours.ack, ours.seq, ours.end()), (102, 1, 2));
    assert!(!tcb.is_ack_scheduled());
    let received = tcb.on_segment(&Segment { seq: 102, ..ack(2) }, ms(30));
    assert_eq!(received.became, Some(State::Closed));
    assert_eq!(tcb.next_timer(), SimTime::NEVER);
}

#[test]
fn both_may_close_at_once() {
    let mut tcb = established(&config());
    tcb.close();
    tcb.next_segment(ms(20), MSS).expect("a FIN");
    let fin = Segment {
        flags: Flags::FIN | Flags::ACK,
        ..ack(1)
    };
    assert_eq!(tcb.on_segment(&fin, ms(25)).became, Some(State::Closing));
    tcb.ack_segment();
    let received = tcb.on_segment(&Segment { seq: 2, ..ack(2) }, ms(30));
    assert_eq!(received.became, Some(State::TimeWait));
}

#[test]
fn an_abort_tells_the_other_side() {
    let mut tcb = established(&config());
    let reset = tcb.abort().expect("it knows of us");
    assert!(reset.flags.contains(Flags::RST));
    assert_eq!((tcb.state(), tcb.abort()), (State::Closed, None));
}
