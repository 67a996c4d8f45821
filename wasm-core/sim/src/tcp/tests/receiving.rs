//! What becomes readable, which ACK is owed, and the window offered.
//! Facts: RFC 5681 §4.2, RFC 2018 §4, RFC 9293 §3.8.6.2.2.

use super::*;

/// Past quick ACKs, the segment size learned, all read.
pub(super) fn settled(config: &TcpConfig) -> (Tcb, u64) {
    let mut tcb = established(config);
    let mut seq = 1;
    for turn in 0..40 {
        tcb.on_segment(&data(seq, MSS), ms(20 + turn));
        seq += u64::from(MSS);
        tcb.on_read(MSS, 0, ms(0));
        tcb.ack_segment();
    }
    (tcb, seq)
}

#[test]
fn the_first_segments_are_acknowledged_at_once_then_every_second() {
    let mut tcb = established(&config());
    let mut seq = 1;
    let mut needs = Vec::new();
    for _ in 0..22 {
        let received = tcb.on_segment(&data(seq, MSS), ms(20));
        assert_eq!(received.in_order, MSS);
        seq += u64::from(MSS);
        let on_read = tcb.on_read(MSS, 0, ms(0));
        needs.push(if received.send_ack == AckNeed::Now || on_read {
            'A'
        } else {
            '.'
        });
        if needs.last() == Some(&'A') {
            tcb.ack_segment();
        }
    }
    assert_eq!(needs.iter().collect::<String>(), "AAAAAAAAAAAAAAAA.A.A.A");
}

#[test]
fn a_lone_segment_is_acknowledged_by_the_timer() {
    let (mut tcb, seq) = settled(&config());
    assert_eq!(
        tcb.on_segment(&data(seq, MSS), ms(100)).send_ack,
        AckNeed::Delayed
    );
    assert_eq!(tcb.next_timer(), ms(140));
    assert_eq!(tcb.on_timer(ms(140)), TimerOutcome::SendAck);
    assert_eq!(tcb.ack_segment().ack, seq + 1_000);
    assert_eq!(tcb.next_timer(), SimTime::NEVER);
}

#[test]
fn an_ack_whose_timer_found_an_owner_goes_with_the_read_or_is_left_to_the_owner() {
    let retry = OwnedRetry {
        write_ms: 50,
        delayed_ack_ms: 40,
    };
    for (owned_retry, is_put_off) in [(Some(retry), true), (None, false)] {
        let (mut tcb, seq) = settled(&config().with(|kernel| kernel.owned_retry = owned_retry));
        tcb.on_segment(&data(seq, MSS), ms(100));
        assert_eq!(tcb.put_off_timers(ms(140)), is_put_off);
        let due = if is_put_off { ms(180) } else { ms(140) };
        assert_eq!(tcb.next_timer(), due);
        assert_eq!(tcb.on_read(MSS / 2, 0, ms(141)), is_put_off);
    }
}

#[test]
fn a_whole_segment_that_ends_a_write_is_acknowledged_when_read_by_current_kernels() {
    for is_current in [false, true] {
        let (mut tcb, seq) =
            settled(&config().with(|kernel| kernel.acks_pushed_segments = is_current));
        let mut last = data(seq, MSS);
        last.flags = last.flags | Flags::PSH;
        assert_eq!(
            tcb.on_segment(&last, ms(100)).send_ack,
            AckNeed::Delayed,
            "not before it is read"
        );
        assert_eq!(tcb.on_read(MSS, 0, ms(0)), is_current);
    }
}

#[test]
fn an_answer_carries_the_ack() {
    let (mut tcb, seq) = settled(&config());
    tcb.on_segment(&data(seq, 100), ms(100));
    tcb.write(100);
    let answer = tcb.next_segment(ms(101), MSS).expect("an answer");
    assert_eq!(answer.ack, seq + 100);
    assert!(!tcb.is_ack_scheduled());
    let next = Segment {
        ack: 101,
        ..data(seq + 100, 100)
    };
    assert_eq!(tcb.on_segment(&next, ms(102)).send_ack, AckNeed::Delayed);
    assert!(
        !tcb.on_read(200, 0, ms(0)),
        "they talk in turns: the next answer carries it"
    );
}

#[test]
fn reading_a_small_message_to_the_end_acknowledges_it() {
    let (mut tcb, seq) = settled(&config());
    tcb.on_segment(&data(seq, 100), ms(100));
    assert!(tcb.on_read(100, 0, ms(0)));
}

#[test]
fn old_data_is_answered_at_once() {
    let (mut tcb, seq) = settled(&config());
    let received = tcb.on_segment(&data(seq - 1_000, MSS), ms(100));
    assert!(received.is_duplicate && received.send_ack == AckNeed::Now);
    assert_eq!(received.in_order, 0);
    let received = tcb.on_segment(&data(seq - 500, MSS), ms(100));
    assert_eq!(received.in_order, 500, "its second half is new");
}

#[test]
fn the_window_closes_without_its_edge_moving_left_and_opens_by_half() {
    let (mut tcb, mut seq) = settled(&config().with(|kernel| kernel.receive_buffer_bytes = 20_000));
    let mut edge = 0;
    for _ in 0..10 {
        tcb.on_segment(&data(seq, MSS), ms(100));
        seq += u64::from(MSS);
        let segment = tcb.ack_segment();
        assert!(edge <= segment.ack + u64::from(segment.window), "it shrank");
        edge = segment.ack + u64::from(segment.window);
    }
    assert_eq!(edge, seq, "closed");
    let received = tcb.on_segment(&data(seq, MSS), ms(101));
    assert!(
        received.is_duplicate && received.send_ack == AckNeed::Now,
        "no room"
    );
    assert_eq!(tcb.ack_segment().window, 0);
    assert!(
        !tcb.on_read(400, 0, ms(0)),
        "less than a segment is no window"
    );
    assert!(tcb.on_read(2_000, 0, ms(0)), "from nothing to two segments");
    assert_eq!(tcb.ack_segment().window, 2_000);
    assert!(!tcb.on_read(1_000, 0, ms(0)), "not doubled");
    assert!(tcb.on_read(1_000, 0, ms(0)));
}

#[test]
fn a_slow_reader_is_not_acknowledged_until_the_window_can_move() {
    let (mut tcb, seq) = settled(&config());
    assert_eq!(
        tcb.on_segment(&data(seq, MSS), ms(100)).send_ack,
        AckNeed::Delayed
    );
    let second = tcb.on_segment(&data(seq + 1_000, MSS), ms(100));
    assert_eq!(
        second.send_ack,
        AckNeed::Delayed,
        "the right edge would stay"
    );
    assert!(tcb.on_read(2_000, 0, ms(0)), "now it moves");
}

#[test]
fn the_first_window_opens_by_two_segments_for_each() {
    let mut tcb = established(&config().with(|kernel| kernel.initial_receive_window_segments = 4));
    let mut windows = Vec::new();
    for turn in 0..4 {
        tcb.on_segment(&data(1 + turn * 1_000, MSS), ms(20));
        tcb.on_read(MSS, 0, ms(0));
        windows.push(tcb.ack_segment().window);
    }
    assert_eq!(windows, [6_000, 8_000, 10_000, 12_000]);
}

/// With window scaling the window is what is free, in units of the scale, and not whole segments; what is
/// less than a sixteenth of the buffer is none (`__tcp_select_window`).
#[test]
fn a_scaled_window_is_what_is_free_in_units_of_its_scale() {
    let scaled = config().with(|kernel| kernel.receive_buffer_most_bytes = 6_291_456);
    let (mut tcb, seq) = settled(&scaled);
    tcb.on_segment(&data(seq, 300), ms(100));
    let window = tcb.ack_segment().window;
    // 2^22 and more is scaled by 7: 64,000 - 300, rounded up to 128.
    assert_eq!(window, 63_744);
    let (mut whole, seq) = settled(&config());
    whole.on_segment(&data(seq, 300), ms(100));
    let kept = whole.ack_segment().window;
    assert_eq!(
        kept, 63_700,
        "the right edge stays: no whole segment more is free"
    );
}

#[test]
fn a_scaled_window_of_less_than_a_sixteenth_is_closed() {
    let (mut tcb, mut seq) =
        settled(&config().with(|kernel| kernel.receive_buffer_most_bytes = 6_291_456));
    for turn in 0..61 {
        tcb.on_segment(&data(seq, MSS), ms(100 + turn));
        seq += u64::from(MSS);
    }
    // 3,000 bytes are free, of 64,000; the right edge stays where it was offered.
    let edge = tcb.ack_segment();
    let room = edge.ack + u64::from(edge.window) - seq;
    tcb.on_segment(&data(seq, room as u32), ms(200));
    assert_eq!(tcb.ack_segment().window, 0);
}

/// What was read of a packet is in the buffer until its last byte is: a window that could have opened
/// does then, and at once.
#[test]
fn a_packet_read_in_part_opens_no_window() {
    let (mut tcb, mut seq) = settled(&config());
    for turn in 0..60 {
        tcb.on_segment(&data(seq, MSS), ms(100 + turn));
        seq += u64::from(MSS);
    }
    tcb.ack_segment();
    assert!(
        !tcb.on_read(30_000, 30_000, ms(200)),
        "half of one of 60,000"
    );
    assert!(tcb.on_read(30_000, 0, ms(200)));
    assert_eq!(tcb.ack_segment().window, 64 * MSS);
}

#[test]
fn the_second_of_two_short_segments_of_a_size_is_not_acknowledged_when_read() {
    // Shorter than 536 bytes with its options a segment is a remnant, whatever came before.
    for (len, second) in [(700, false), (100, true)] {
        let (mut tcb, mut seq) = settled(&config());
        let mut is_acked = || {
            let mut segment = data(seq, len);
            segment.flags = segment.flags | Flags::PSH;
            tcb.on_segment(&segment, ms(100));
            seq += u64::from(len);
            let is_due = tcb.on_read(len, 0, ms(100));
            if is_due {
                tcb.ack_segment();
            }
            is_due
        };
        assert!(is_acked(), "{len}");
        assert_eq!(is_acked(), second, "{len}");
    }
}

/// Where the ends talk in turns the next answer carries the ACK: of one short segment in all kernels, of a second, which
/// came before the first was read, until 2.6.19.
#[test]
fn two_short_segments_in_a_talk_in_turns_are_acknowledged_when_read_by_kernels_since_2_6_19() {
    for acks_second_short in [false, true] {
        let (mut tcb, mut seq) =
            settled(&config().with(|kernel| kernel.acks_second_short = acks_second_short));
        tcb.on_segment(&data(seq, 100), ms(100));
        seq += 100;
        tcb.write(100);
        tcb.next_segment(ms(101), MSS).expect("an answer");
        let mut come = |tcb: &mut Tcb| {
            let short = Segment {
                ack: 101,
                flags: Flags::ACK | Flags::PSH,
                ..data(seq, 100)
            };
            seq += 100;
            tcb.on_segment(&short, ms(102)).send_ack
        };
        assert_eq!(come(&mut tcb), AckNeed::Delayed);
        assert!(!tcb.on_read(200, 0, ms(102)), "one");
        assert_eq!(come(&mut tcb), AckNeed::Delayed);
        assert_eq!(tcb.on_read(100, 0, ms(103)), acks_second_short, "two");
    }
}

#[test]
fn a_window_grows_into_what_is_free_and_in_old_kernels_into_the_whole_buffer() {
    for (grows_into_space, window) in [(true, 9_000), (false, 10_000)] {
        let mut tcb = established(&config().with(|kernel| {
            kernel.grows_into_space = grows_into_space;
            kernel.receive_buffer_bytes = 20_000;
            kernel.initial_receive_window_segments = 8;
        }));
        for seq in [1, 1 + u64::from(MSS)] {
            tcb.on_segment(&data(seq, MSS), ms(20));
        }
        tcb.on_read(2 * MSS, 0, ms(20));
        assert_eq!(tcb.ack_segment().window, window);
    }
}

/// A segment that finds an empty queue tells the way there and back, longer or shorter than before. The buffer
/// follows what is read in that time.
#[test]
fn a_round_trip_that_became_longer_is_noticed_where_the_reader_keeps_up() {
    let window = |age: u64| {
        let mut tcb = established(&config().with(|kernel| {
            kernel.tunes_by_windows = true;
            kernel.receive_buffer_most_bytes = 8 << 20;
        }));
        let mut seq = 1;
        for turn in 20..320 {
            for part in 0..64 {
                let now = ms(turn) + SimTime::from_us(15 * part);
                let segment = Segment {
                    echoed: segment::timestamp(ms(turn - age)),
                    ..data(seq, MSS)
                };
                seq += u64::from(MSS);
                tcb.on_segment(&segment, now);
                tcb.on_read(MSS, 0, now);
                tcb.ack_segment();
            }
        }
        tcb.ack_segment().window
    };
    let (short, long) = (window(0), window(10));
    assert!(long > 2 * short, "{short} bytes and {long}");
}
