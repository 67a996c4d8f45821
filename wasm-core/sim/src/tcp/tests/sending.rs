//! What is sent when: windows, Nagle, loss and its repair, probes.
//! Facts: RFC 5681, 6298, 6582, 6675 and RFC 9293 §3.8.6.

use super::*;

/// An ACK with one SACK block.
fn sack(number: u64, from: u64, to: u64) -> Segment {
    let mut segment = ack(number);
    segment
        .sack
        .push((from - number) as u32, (to - number) as u32);
    segment
}

fn seqs(segments: &[Segment]) -> Vec<u64> {
    segments.iter().map(|segment| segment.seq).collect()
}

#[test]
fn slow_start_doubles_in_a_round_trip_then_avoidance_adds_a_segment() {
    let mut tcb = established(&config());
    tcb.write(500_000);
    assert_eq!(send_all(&mut tcb, ms(10)).len(), 10);
    let received = tcb.on_segment(&ack(10_001), ms(20));
    assert_eq!((received.acked, tcb.cwnd()), (10_000, 20_000));
    assert_eq!(send_all(&mut tcb, ms(20)).len(), 20);
    tcb.window.ssthresh = 20_000;
    tcb.on_segment(&ack(20_001), ms(30));
    assert_eq!(tcb.cwnd(), 20_000);
    tcb.on_segment(&ack(30_001), ms(30));
    assert_eq!(tcb.cwnd(), 21_000);
}

#[test]
fn before_byte_counting_one_ack_adds_one_segment() {
    let old = config().with(|kernel| {
        kernel.slow_start_limit_segments = 1;
        kernel.initial_window_segments = 2;
    });
    let mut tcb = established(&old);
    tcb.write(50_000);
    assert_eq!(send_all(&mut tcb, ms(10)).len(), 2);
    tcb.on_segment(&ack(2_001), ms(20));
    assert_eq!(tcb.cwnd(), 3_000);
}

#[test]
fn a_window_nobody_fills_does_not_grow() {
    let mut tcb = established(&config());
    for turn in 0..50 {
        tcb.write(100);
        assert_eq!(send_all(&mut tcb, ms(turn)).len(), 1);
        tcb.on_segment(&ack(101 + turn * 100), ms(turn));
    }
    assert_eq!(tcb.cwnd(), 10_000);
}

#[test]
fn the_offered_window_is_never_passed() {
    let mut tcb = established(&config());
    tcb.write(50_000);
    tcb.on_segment(
        &Segment {
            seq: 2,
            window: 3_500,
            ..ack(1)
        },
        ms(11),
    );
    assert_eq!(
        seqs(&send_all(&mut tcb, ms(11))),
        [1, 1_001, 2_001],
        "half segments wait"
    );
}

#[test]
fn nagle_holds_the_second_small_segment_until_the_first_is_acknowledged() {
    let mut tcb = established(&config());
    tcb.write(10);
    assert_eq!(send_all(&mut tcb, ms(10)).len(), 1);
    tcb.write(10);
    assert_eq!(send_all(&mut tcb, ms(11)).len(), 0);
    tcb.write(2_000);
    assert_eq!(seqs(&send_all(&mut tcb, ms(12))), [11, 1_011]);
    assert!(tcb.on_segment(&ack(11), ms(20)).can_send);
    assert_eq!(send_all(&mut tcb, ms(20))[0].len, 10);
    let mut tcb = established(&config().with(|kernel| kernel.nagle = false));
    tcb.write(10);
    tcb.next_segment(ms(10), MSS).expect("the first");
    tcb.write(10);
    tcb.next_segment(ms(10), MSS).expect("TCP_NODELAY");
}

#[test]
fn a_train_of_segments_goes_as_one_where_the_device_cuts_it() {
    let mut tcb = established(&config());
    tcb.write(12_345);
    let train = tcb.next_segment(ms(10), 64_000).expect("a train");
    assert_eq!(train.len, 10_000, "whole segments, as far as cwnd goes");
    tcb.on_segment(&ack(10_001), ms(20));
    let rest = tcb.next_segment(ms(20), 64_000).expect("the rest");
    assert_eq!((rest.len, rest.flags), (2_345, Flags::ACK | Flags::PSH));
}

#[test]
fn three_sacked_segments_above_a_hole_retransmit_the_hole_only() {
    let mut tcb = established(&config());
    tcb.write(100_000);
    send_all(&mut tcb, ms(10));
    tcb.on_segment(&sack(1, 1_001, 2_001), ms(20));
    assert_eq!(tcb.ca_state().to_string(), "TCP_CA_Disorder");
    assert_eq!(
        seqs(&send_all(&mut tcb, ms(20))),
        [10_001],
        "limited transmit"
    );
    tcb.on_segment(&sack(1, 1_001, 3_001), ms(20));
    send_all(&mut tcb, ms(20));
    assert!(tcb.on_segment(&sack(1, 1_001, 4_001), ms(20)).can_send);
    assert_eq!(tcb.ca_state(), CaState::Recovery);
    assert_eq!((tcb.cwnd(), tcb.ssthresh()), (5_000, 5_000));
    let again = send_all(&mut tcb, ms(20));
    assert_eq!(seqs(&again), [1]);
    assert!(again[0].is_retransmission);
    tcb.on_segment(&ack(12_001), ms(30));
    // Nine segments of which no ACK had told: avoidance counts them, recovery is over.
    assert_eq!((tcb.ca_state(), tcb.cwnd()), (CaState::Open, 6_000));
}

#[test]
fn two_holes_are_both_filled_in_one_round_trip_with_sack() {
    let mut tcb = established(&config());
    tcb.write(10_000);
    send_all(&mut tcb, ms(10));
    tcb.on_segment(&sack(1, 1_001, 2_001), ms(20));
    let mut both = sack(1, 3_001, 10_001);
    both.sack.push(1_000, 2_000);
    tcb.on_segment(&both, ms(20));
    assert_eq!(seqs(&send_all(&mut tcb, ms(20))), [1, 2_001]);
}

#[test]
fn without_sack_a_partial_ack_retransmits_the_next_hole() {
    let mut tcb = established(&config().with(|kernel| kernel.sack = false));
    tcb.write(10_000);
    send_all(&mut tcb, ms(10));
    for _ in 0..3 {
        tcb.on_segment(&ack(1), ms(20));
    }
    assert_eq!(seqs(&send_all(&mut tcb, ms(20))), [1]);
    tcb.on_segment(&ack(4_001), ms(30));
    assert_eq!(seqs(&send_all(&mut tcb, ms(30))), [4_001]);
    assert_eq!(tcb.ca_state(), CaState::Recovery);
}

#[test]
fn a_timeout_starts_again_with_one_segment_and_doubles() {
    let mut tcb = established(&config());
    tcb.write(10_000);
    send_all(&mut tcb, ms(10));
    // RFC 6298: SRTT 10 ms, and the floor of 200 ms under the variation.
    assert_eq!(tcb.next_timer(), ms(220));
    assert_eq!(tcb.on_timer(ms(220)), TimerOutcome::Retransmit);
    assert_eq!((tcb.cwnd(), tcb.ssthresh()), (1_000, 5_000));
    assert_eq!(seqs(&send_all(&mut tcb, ms(220))), [1]);
    assert_eq!(tcb.next_timer(), ms(640));
    assert_eq!(tcb.on_timer(ms(640)), TimerOutcome::Retransmit);
    assert_eq!(tcb.ssthresh(), 5_000, "once in a window");
    assert_eq!(seqs(&send_all(&mut tcb, ms(640))), [1]);
    tcb.on_segment(&ack(1_001), ms(650));
    assert_eq!(tcb.srtt(), ms(10), "Karn: no sample of a retransmission");
    assert_eq!(seqs(&send_all(&mut tcb, ms(650))), [1_001, 2_001]);
    tcb.on_segment(&ack(10_001), ms(660));
    assert_eq!(tcb.ca_state(), CaState::Open);
}

/// `tcp_enter_loss`: a timeout after an ACK of new data is a loss of its own, also within what was in flight at the first.
#[test]
fn a_second_timeout_after_progress_reduces_the_threshold_again() {
    let mut tcb = established(&config());
    tcb.write(20_000);
    send_all(&mut tcb, ms(10));
    tcb.on_timer(ms(220));
    assert_eq!(tcb.ssthresh(), 5_000);
    send_all(&mut tcb, ms(220));
    tcb.on_segment(&ack(1_001), ms(230));
    send_all(&mut tcb, ms(230));
    tcb.on_segment(&ack(3_001), ms(240));
    send_all(&mut tcb, ms(240));
    let cwnd = tcb.cwnd();
    let due = tcb.next_timer();
    assert_eq!(tcb.on_timer(due), TimerOutcome::Retransmit);
    assert_eq!(tcb.ssthresh(), (cwnd / 2).max(2 * MSS));
}

#[test]
fn a_closed_window_is_probed_until_it_opens() {
    let mut tcb = established(&config());
    tcb.on_segment(
        &Segment {
            seq: 2,
            window: 0,
            ..ack(1)
        },
        ms(11),
    );
    tcb.write(5_000);
    assert_eq!(send_all(&mut tcb, ms(11)), []);
    for _ in 0..3 {
        let due = tcb.next_timer();
        assert_eq!(tcb.on_timer(due), TimerOutcome::Probe);
        let probe = send_all(&mut tcb, due);
        assert_eq!((probe[0].seq, probe[0].len, probe.len()), (0, 0, 1));
    }
    assert_eq!(tcb.next_timer(), ms(11 + 210 * 15));
    assert!(
        tcb.on_segment(&Segment { seq: 3, ..ack(1) }, ms(2_000))
            .can_send
    );
    assert_eq!(send_all(&mut tcb, ms(2_000)).len(), 5);
    assert_eq!(tcb.next_timer(), ms(2_210));
}

#[test]
fn the_writer_goes_on_when_a_third_is_free() {
    let mut tcb = established(&config().with(|kernel| kernel.send_buffer_bytes = 9_000));
    tcb.write(9_000);
    assert_eq!(tcb.send_room(), 0);
    send_all(&mut tcb, ms(10));
    tcb.on_segment(&ack(2_001), ms(20));
    assert!(!tcb.has_write_space());
    tcb.on_segment(&ack(3_001), ms(20));
    assert!(tcb.has_write_space());
    assert_eq!(tcb.send_room(), 3_000);
}

#[test]
fn the_send_buffer_grows_with_the_congestion_window_unless_the_program_set_it() {
    let room_after = |most: u32| {
        let mut tcb = established(&config().with(|kernel| {
            kernel.send_buffer_bytes = 4_000;
            kernel.send_buffer_segments = 3;
            kernel.send_buffer_most_bytes = most;
        }));
        let first = tcb.send_room();
        tcb.write(first);
        let sent = send_all(&mut tcb, ms(10));
        let end = 1 + sent
            .iter()
            .map(|segment| u64::from(segment.len))
            .sum::<u64>();
        let _ = tcb.on_segment(&ack(end), ms(20));
        (first, tcb.send_room())
    };
    // Room for twice the window: ten segments at first, and twenty when those have arrived.
    assert_eq!(room_after(1 << 20), (20_000, 40_000 - 10_000));
    assert_eq!(room_after(6_000), (6_000, 6_000));
    assert_eq!(room_after(0), (4_000, 4_000));
}

/// What `ss -m` and `getsockopt(SO_SNDBUF)` say of a connection that has just been made: 87,040 bytes on an
/// Ethernet and 2,626,560 over the loopback device.
#[test]
fn a_send_buffer_has_room_for_what_segments_take_as_an_allocator_rounds() {
    let config = config().with(|kernel| {
        kernel.send_buffer_bytes = 16_384;
        kernel.send_buffer_segments = 20;
        kernel.send_buffer_most_bytes = 4 << 20;
        kernel.segment_memory = Some(SegmentMemory {
            header_bytes: 640,
            skb_bytes: 256,
        });
    });
    assert_eq!(20 * config.parameters.memory_of(1_448), 87_040);
    assert_eq!(20 * config.parameters.memory_of(65_483), 2_626_560);
    // The connections of these tests have segments of 1,000 bytes.
    assert_eq!(established(&config).send_room(), 20 * (2_048 + 256));
}

#[test]
fn a_long_pause_shrinks_the_window_back_to_the_first() {
    let mut tcb = established(&config());
    tcb.write(30_000);
    send_all(&mut tcb, ms(10));
    tcb.on_segment(&ack(10_001), ms(20));
    send_all(&mut tcb, ms(20));
    tcb.on_segment(&ack(30_001), ms(30));
    assert_eq!(tcb.cwnd(), 40_000);
    tcb.write(1_000_000);
    assert_eq!(send_all(&mut tcb, ms(60_000)).len(), 10);
}

#[test]
fn overtaking_raises_the_threshold_for_the_next_time() {
    let mut tcb = established(&config());
    tcb.write(20_000);
    send_all(&mut tcb, ms(10));
    tcb.on_segment(&sack(1, 5_001, 6_001), ms(20));
    tcb.on_segment(&ack(6_001), ms(20));
    assert_eq!(tcb.ca_state(), CaState::Open, "overtaken by five");
    send_all(&mut tcb, ms(20));
    for end in 8..=12 {
        tcb.on_segment(&sack(6_001, 7_001, end * 1_000 + 1), ms(21));
        assert_eq!(tcb.ca_state(), CaState::Disorder);
    }
    tcb.on_segment(&sack(6_001, 7_001, 13_001), ms(21));
    assert_eq!(tcb.ca_state(), CaState::Recovery);
}

/// `tp->delivered` counts a segment once: what SACK had reported makes the window grow no
/// second time when the hole below it is filled.
#[test]
fn an_ack_that_jumps_over_what_sack_had_reported_opens_one_segment() {
    let mut tcb = established(&config().with(|kernel| kernel.initial_window_segments = 200));
    tcb.write(1_000_000);
    assert_eq!(send_all(&mut tcb, ms(10)).len(), 200);
    // All but the first has arrived, its retransmission is lost too: the timer.
    tcb.on_segment(&sack(1, 1_001, 200_001), ms(20));
    send_all(&mut tcb, ms(20));
    let late = tcb.next_timer();
    assert_eq!(tcb.on_timer(late), TimerOutcome::Retransmit);
    assert_eq!((tcb.ca_state(), tcb.cwnd()), (CaState::Loss, 1_000));
    tcb.window.ssthresh = 2_000;
    assert_eq!(send_all(&mut tcb, late)[0].seq, 1);
    tcb.on_segment(&ack(200_001), late + ms(10));
    assert_eq!(tcb.cwnd(), 2_000, "one segment was delivered");
}

#[test]
fn a_piece_is_filled_to_whole_segments_within_half_the_widest_window() {
    let mut tcb = Tcb::new(&config());
    tcb.connect(SimTime(0));
    for (seq, window, goal) in [(0, 20_000, 10_000), (1, 99_900, 49_000), (1, 4_000, 49_000)] {
        let flags = if seq == 0 { Flags::SYN } else { Flags::NONE };
        let segment = Segment {
            seq,
            window,
            mss: MSS as u16,
            flags: flags | Flags::ACK,
            ..ack(1)
        };
        tcb.on_segment(&segment, ms(20));
        assert_eq!(tcb.size_goal(65_535), goal, "{window}");
        assert_eq!(tcb.size_goal(MSS), MSS);
    }
}
