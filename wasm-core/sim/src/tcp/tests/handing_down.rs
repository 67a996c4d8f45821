//! What TCP hands down and when: small queues, and pieces that wait for the next ACK.

use super::*;

/// A current kernel's sender that may hand down large pieces, with so many segments to send.
fn sender(config: TcpConfig, segments: u32) -> Tcb {
    let mut tcb = established(&config.with(|kernel| {
        kernel.recovery = Recovery::Rack;
        kernel.min_tso_segments = 2;
    }));
    tcb.write(segments * MSS);
    tcb
}

/// The pieces that may go now, in segments.
fn pieces(tcb: &mut Tcb, now: SimTime) -> Vec<u32> {
    let sent = std::iter::from_fn(|| tcb.next_segment(now, 64 * MSS));
    sent.map(|segment| segment.len / MSS).collect()
}

/// `tcp_small_queue_check`: with more than the limit below it TCP waits, unless nothing is on its way.
#[test]
fn a_sender_waits_while_enough_of_it_lies_below() {
    let limited = config().with(|kernel| kernel.limit_output_bytes = 4 * MSS);
    let mut tcb = sender(limited, 10);
    tcb.set_below(5 * MSS);
    let first = tcb.next_segment(ms(10), MSS);
    assert!(first.is_some(), "nothing is on its way");
    assert!(!tcb.take_throttled());
    assert_eq!(tcb.next_segment(ms(10), MSS), None);
    assert!(tcb.take_throttled());
    assert!(!tcb.take_throttled(), "it is asked once");
    tcb.set_below(2 * MSS);
    assert!(tcb.next_segment(ms(10), MSS).is_some());
    assert!(!tcb.take_throttled());
}

/// A kernel before 3.6 hands down all that the window allows.
#[test]
fn without_small_queues_nothing_that_lies_below_counts() {
    let mut tcb = sender(config(), 10);
    tcb.set_below(1 << 30);
    assert_eq!(pieces(&mut tcb, ms(10)).iter().sum::<u32>(), 10);
    assert!(!tcb.take_throttled());
}

/// A recovery in which small queues kept everything from being sent again was not needed if the ACK
/// that ends it comes: the windows are as before (`tcp_packet_delayed`).
#[test]
fn a_recovery_that_sent_nothing_again_is_taken_back() {
    let limited = config().with(|kernel| kernel.limit_output_bytes = MSS);
    let mut tcb = sender(limited, 10);
    assert_eq!(send_all(&mut tcb, ms(10)).len(), 10);
    tcb.set_below(1 << 20);
    let before = tcb.window.cwnd;
    let mut overtaking = ack(1);
    overtaking.sack.push(MSS, 5 * MSS);
    tcb.on_segment(&overtaking, ms(20));
    assert_eq!(tcb.ca_state, CaState::Recovery);
    assert_eq!(send_all(&mut tcb, ms(20)), []);
    tcb.on_segment(&ack(u64::from(1 + 10 * MSS)), ms(21));
    assert_eq!(tcb.ca_state, CaState::Open);
    assert!(tcb.window.cwnd >= before, "{} of {before}", tcb.window.cwnd);
}

/// `tcp_tso_should_defer`: the rest of a window that is no whole piece waits for the ACK that makes
/// it one; a piece that a write has just filled does not.
#[test]
fn the_rest_of_a_window_waits_for_the_next_ack() {
    let after_an_ack = |divisor| {
        let deferring = config().with(|kernel| {
            kernel.initial_window_segments = 100;
            kernel.tso_window_divisor = divisor;
        });
        let mut tcb = sender(deferring, 400);
        pieces(&mut tcb, ms(10));
        tcb.on_segment(&ack(u64::from(1 + 25 * MSS)), ms(20));
        let sent = pieces(&mut tcb, ms(20));
        (tcb, sent)
    };
    let (_, at_once) = after_an_ack(0);
    let (mut tcb, waiting) = after_an_ack(3);
    let rest = at_once.last().unwrap();
    assert!(*rest < at_once[0], "{at_once:?}");
    assert_eq!(waiting, at_once[..at_once.len() - 1]);
    let pushed = tcb.push_one(ms(20), 64 * MSS).unwrap();
    assert_eq!(pushed.len, rest * MSS);
}
