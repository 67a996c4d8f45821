//! What comes behind a hole, and what fills it: RFC 5681 §4.2, RFC 2018 §4.

use super::receiving::settled;
use super::*;
use crate::tcp::parameters::CompressedAcks;

#[test]
fn a_hole_holds_back_what_follows_and_is_reported() {
    let (mut tcb, seq) = settled(&config());
    let received = tcb.on_segment(&data(seq + 2_000, MSS), ms(100));
    assert!(received.is_out_of_order && received.send_ack == AckNeed::Now);
    tcb.on_segment(&data(seq + 4_000, MSS), ms(100));
    tcb.on_segment(&data(seq + 3_000, MSS), ms(100));
    tcb.on_segment(&data(seq + 6_000, MSS), ms(100));
    let report = tcb.ack_segment();
    assert_eq!(report.ack, seq);
    let blocks: Vec<_> = report
        .sack
        .from_ack(seq)
        .map(|(a, b)| (a - seq, b - seq))
        .collect();
    assert_eq!(blocks, [(6_000, 7_000), (2_000, 5_000)], "the latest first");
    assert_eq!(tcb.out_of_order_bytes(), 4_000);
    assert!(
        tcb.on_segment(&data(seq + 3_000, MSS), ms(101))
            .is_duplicate
    );
    let received = tcb.on_segment(&data(seq, 2_000), ms(102));
    assert_eq!((received.in_order, received.drained_segments), (5_000, 3));
    assert_eq!(received.send_ack, AckNeed::Now);
    let received = tcb.on_segment(&data(seq + 5_000, MSS), ms(103));
    assert_eq!((received.in_order, tcb.out_of_order_bytes()), (2_000, 0));
}

/// RFC 5681 §4.2: what lies behind a hole and what fills it is acknowledged at once. What comes after it is in kernels before
/// 4.18, which took a hole for a reason to acknowledge quickly ("tcp: do not force quickack when receiving out-of-order
/// packets").
#[test]
fn segments_behind_a_hole_make_later_acks_quick_in_old_kernels_alone() {
    for (quick_acks_after_holes, then) in [(false, AckNeed::Delayed), (true, AckNeed::Now)] {
        let (mut tcb, seq) = settled(
            &config().with(|kernel| kernel.quick_acks_after_holes = quick_acks_after_holes),
        );
        let mut acknowledged = |start: u64, at: u64| {
            let need = tcb.on_segment(&data(seq + start, 10), ms(at)).send_ack;
            if need == AckNeed::Now {
                tcb.ack_segment();
            }
            need
        };
        for behind in [10, 20, 30] {
            assert_eq!(acknowledged(behind, 100), AckNeed::Now);
        }
        assert_eq!(acknowledged(0, 101), AckNeed::Now);
        assert_eq!(acknowledged(40, 102), then);
    }
}

/// `__tcp_ack_snd_check` since 4.18: the sender has three duplicates to retransmit by; then one ACK tells of what came
/// until the timer expires, or a segment is sent that carries it.
#[test]
fn after_three_acks_of_a_hole_the_next_wait_for_the_timer() {
    let compressed_acks = Some(CompressedAcks {
        acks: 44,
        delay_us: 1000,
    });
    for (sack, then) in [(true, AckNeed::Delayed), (false, AckNeed::Now)] {
        let (mut tcb, seq) = settled(&config().with(|kernel| {
            kernel.sack = sack;
            kernel.compressed_acks = compressed_acks;
        }));
        for behind in 1..=3_u64 {
            let need = tcb.on_segment(&data(seq + behind * 1_000, MSS), ms(100));
            assert_eq!(need.send_ack, AckNeed::Now);
            tcb.ack_segment();
        }
        let fourth = tcb.on_segment(&data(seq + 4_000, MSS), ms(101));
        assert_eq!(fourth.send_ack, then, "with selective ACKs: {sack}");
        if sack {
            assert!(tcb.next_timer() <= ms(102));
            let due = tcb.next_timer();
            assert_eq!(tcb.on_timer(due), TimerOutcome::SendAck);
            assert_eq!(tcb.ack_segment().ack, seq);
            assert_eq!(tcb.next_timer(), SimTime::NEVER);
        }
        let filled = tcb.on_segment(&data(seq, MSS), ms(103));
        assert_eq!((filled.in_order, filled.send_ack), (5_000, AckNeed::Now));
    }
}

#[test]
fn a_fin_waits_behind_a_hole() {
    let (mut tcb, seq) = settled(&config());
    let fin = Segment {
        flags: Flags::FIN | Flags::ACK,
        ..data(seq + 1_000, MSS)
    };
    assert!(!tcb.on_segment(&fin, ms(100)).fin);
    let received = tcb.on_segment(&data(seq, MSS), ms(101));
    assert!(received.fin);
    assert_eq!(
        (received.in_order, received.became),
        (2_000, Some(State::CloseWait))
    );
    assert_eq!(tcb.ack_segment().ack, seq + 2_001);
}
