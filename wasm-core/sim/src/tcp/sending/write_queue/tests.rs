//! Where packets of the queue begin and end, by hand; and what must hold of any writes.

use proptest::prelude::*;

use super::*;

const GOAL: u32 = 1_000;

fn at(una: u64, nxt: u64) -> Progress {
    Progress { una, nxt }
}

/// Appends a whole write of which nothing was sent; the bytes of its parts, those that begin a packet with a `+`.
fn append(queue: &mut WriteQueue, bytes: u32) -> String {
    let (mut left, mut parts) = (bytes, Vec::new());
    while left > 0
        && let Some(part) = queue.append(left, GOAL, u32::MAX, at(1, 1))
    {
        left -= part.bytes;
        parts.push(format!(
            "{}{}",
            if part.begins { "+" } else { "" },
            part.bytes
        ));
    }
    parts.join(" ")
}

#[test]
fn a_packet_is_filled_before_the_next_begins_and_only_a_new_one_asks_for_room() {
    let mut queue = WriteQueue::new(1_500);
    assert_eq!(append(&mut queue, 300), "+300");
    assert_eq!(append(&mut queue, 900), "700 +200");
    assert_eq!(queue.room(1), 300);
    assert_eq!(append(&mut queue, 2_000), "800", "beyond the buffer");
    assert_eq!((queue.room(1), queue.end()), (0, 2_001));
    assert_eq!(queue.append(1, GOAL, u32::MAX, at(1, 1)), None);
    assert_eq!(queue.room(1_001), 500, "the first is acknowledged");
    assert!(!queue.has_write_space(501) && queue.has_write_space(1_001));
}

#[test]
fn nothing_is_added_to_what_was_sent() {
    let mut queue = WriteQueue::new(1 << 20);
    append(&mut queue, 300);
    let part = queue.append(100, GOAL, u32::MAX, at(1, 301)).unwrap();
    assert!(part.begins, "all was sent");
    let part = queue.append(900, GOAL, u32::MAX, at(1, 351)).unwrap();
    assert_eq!(
        (part.begins, part.bytes),
        (false, 900),
        "half of it was sent, and 50 bytes are held"
    );
}

/// `tcp_mark_push` marks the `sk_buff`, and what joins it afterwards goes with it.
#[test]
fn psh_moves_with_the_end_of_its_packet() {
    let mut queue = WriteQueue::new(1 << 20);
    append(&mut queue, 300);
    assert!(!queue.ends_write(301, 1), "no write has ended");
    queue.mark_push(1);
    assert!(queue.ends_write(301, 1));
    append(&mut queue, 100);
    assert!(!queue.ends_write(301, 1) && queue.ends_write(401, 1));
    append(&mut queue, 1_000);
    assert!(queue.ends_write(1_001, 1), "the packet is full");
    assert!(!queue.ends_write(1_401, 1));
    queue.mark_push(1_401);
    assert!(!queue.ends_write(1_401, 1), "it was sent without");
    assert!(!queue.ends_write(1_001, 1_001), "acknowledged");
}

#[test]
fn what_fills_a_packet_is_pushed_alone_at_the_head_and_with_all_others_after_half_a_window() {
    let mut queue = WriteQueue::new(1 << 20);
    let mut push = |left, most| queue.append(left, GOAL, most, at(1, 1)).unwrap().push;
    assert_eq!(push(300, 5_000), Push::Nothing, "not full");
    assert_eq!(
        push(700, 5_000),
        Push::Nothing,
        "the write ends with it, and its end pushes"
    );
    assert_eq!(push(2_000, 2_000), Push::Nothing, "another is first");
    assert_eq!(push(2_000, 2_000), Push::All);
    assert!(queue.is_push_forced() && queue.ends_write(3_001, 1));
    queue.end_push();
    assert!(!queue.is_push_forced());
    let part = queue.append(2_000, GOAL, 2_000, at(1, 3_001)).unwrap();
    assert_eq!(part.push, Push::One, "all before it was sent");
}

#[test]
fn what_is_held_back_is_let_go_until_more_is_written() {
    let mut queue = WriteQueue::new(1 << 20);
    assert!(!queue.is_held_back());
    queue.set_cork(true);
    queue.write(100);
    assert!(queue.is_held_back());
    queue.release();
    assert!(!queue.is_held_back());
    queue.write(100);
    assert!(queue.is_held_back());
    queue.set_cork(false);
    assert!(!queue.is_held_back());
    queue.hold_back(true);
    assert!(queue.is_held_back());
}

/// The SYN has number 0, the bytes 1 to 500, the FIN 501.
#[test]
fn syn_and_fin_are_no_payload() {
    let mut queue = WriteQueue::new(1 << 20);
    queue.write(500);
    assert_eq!((queue.payload(0, 1), queue.payload(0, 201)), (0, 200));
    assert_eq!((queue.payload(201, 502), queue.payload(501, 502)), (300, 0));
    assert_eq!(
        [0, 1, 201, 501, 502].map(|nxt| queue.unsent(nxt)),
        [500, 500, 300, 0, 0]
    );
    assert_eq!(queue.room(502), 1 << 20);
}

proptest! {
    /// Writes, ends of writes, sending and acknowledging in any order.
    #[test]
    fn packets_and_marks_stay_within_what_was_written(
        buffer in 0_u32..10_000,
        steps in prop::collection::vec((0_u8..4, 1_u32..3_000), 0..60),
    ) {
        let mut queue = WriteQueue::new(buffer);
        let mut sent = at(1, 1);
        for (what, amount) in steps {
            let (end, room) = (queue.end, queue.room(sent.una));
            match what {
                0 => {
                    let part = queue.append(amount, GOAL, 5_000, sent);
                    let bytes = part.map_or(0, |part| part.bytes);
                    prop_assert_eq!(queue.end, end + u64::from(bytes));
                    prop_assert!(bytes <= amount.min(GOAL));
                    prop_assert!(room > 0 || part.is_none_or(|part| !part.begins));
                    prop_assert!(room == 0 || part.is_some());
                }
                1 => queue.mark_push(sent.nxt),
                2 => sent.nxt = (sent.nxt + u64::from(amount)).min(queue.end),
                _ => {
                    sent.una = (sent.una + u64::from(amount)).min(sent.nxt);
                    queue.ends_write(sent.una, sent.una);
                    prop_assert!(queue.marks.front().is_none_or(|&mark| mark > sent.una));
                }
            }
            prop_assert!(queue.tail_start <= queue.end && queue.pushed_end <= queue.end);
            let held = queue.end - queue.tail_start.max(sent.nxt).min(queue.end);
            prop_assert!(held <= u64::from(GOAL));
            prop_assert!(queue.marks.iter().is_sorted());
            prop_assert!(queue.marks.back().is_none_or(|&mark| mark <= queue.end));
        }
    }
}
