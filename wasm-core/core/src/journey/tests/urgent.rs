//! TCP's urgent byte: fetched on its own, stepped over, or read in its place.
//!
//! The lines are of kernel 6.18.

use super::readers::{check_ends, read, ready, returned, segment};
use super::*;

/// A segment whose last byte is urgent: its socket signals once more.
fn urgent(micros: u32, skb: &str, payload: u32) -> String {
    segment(micros, skb, payload) + &ready(micros + 3)
}

/// A call that fetches the urgent byte.
fn fetched(micros: u32, task: &str) -> String {
    returned(micros, task, 1).replace("flags = 0x0", "flags = 0x1")
}

/// What comes behind the urgent byte joins it in its `sk_buff`, which the copies name.
#[test]
fn the_urgent_byte_stays_in_the_queue_and_is_stepped_over() {
    check_ends(
        &[
            &segment(10, "2740", 1),
            &segment(14, "2840", 3),
            &fetched(20, "first-8"),
            &read(30, "second-9", "2740", 3),
            &segment(40, "2940", 7),
            &read(50, "second-9", "2940", 7),
        ],
        &expect![[r#"
            1 of 1: delivered to first (8) (inferred) | delivered to first (8)
            3 of 3: delivered to second (9) (inferred) | delivered to second (9)
            7 of 7: delivered to second (9) | delivered to second (9)
        "#]],
    );
}

/// The three segments are one `sk_buff`. A call that begins before the urgent byte ends there.
#[test]
fn an_urgent_byte_that_nobody_fetches_is_stepped_over() {
    check_ends(
        &[
            &segment(10, "2740", 3),
            &urgent(14, "2840", 1),
            &segment(20, "2840", 5),
            &read(30, "first-8", "2740", 3),
            &read(40, "first-8", "2740", 5),
            &segment(50, "2740", 7),
            &read(60, "first-8", "2740", 7),
        ],
        &expect![[r#"
            3 of 3: delivered to first (8) | delivered to first (8)
            0 of 1: consumed by the stack (inferred) | consumed by the stack
            5 of 5: delivered to first (8) (inferred) | delivered to first (8)
            7 of 7: delivered to first (8) | delivered to first (8)
        "#]],
    );
}

#[test]
fn an_sk_buff_may_begin_with_the_urgent_byte() {
    check_ends(
        &[
            &urgent(10, "2740", 1),
            &segment(20, "2840", 5),
            &read(30, "first-8", "2740", 5),
            &segment(40, "2840", 4),
            &read(50, "first-8", "2740", 4),
        ],
        &expect![[r#"
            0 of 1: consumed by the stack (inferred) | consumed by the stack
            5 of 5: delivered to first (8) (inferred) | delivered to first (8)
            4 of 4: delivered to first (8) (inferred) | delivered to first (8)
        "#]],
    );
}

#[test]
fn an_urgent_byte_may_be_the_last_of_several() {
    check_ends(
        &[
            &urgent(10, "2740", 4),
            &segment(20, "2840", 5),
            &read(30, "first-8", "2740", 3),
            &read(40, "first-8", "2740", 5),
        ],
        &expect![[r#"
            3 of 4: delivered to first (8) | delivered to first (8)
            5 of 5: delivered to first (8) (inferred) | delivered to first (8)
        "#]],
    );
}

#[test]
fn what_follows_the_urgent_byte_may_be_an_sk_buff_of_its_own() {
    check_ends(
        &[
            &urgent(10, "2740", 1),
            &segment(20, "2840", 5),
            &read(30, "first-8", "2840", 5),
        ],
        &expect![[r#"
            0 of 1: consumed by the stack (inferred) | consumed by the stack
            5 of 5: delivered to first (8) | delivered to first (8)
        "#]],
    );
}

/// `SO_OOBINLINE`: the byte is read in its place.
#[test]
fn an_urgent_byte_in_line_is_read_with_what_follows() {
    check_ends(
        &[
            &segment(10, "2740", 3),
            &urgent(14, "2840", 1),
            &segment(20, "2840", 5),
            &read(30, "first-8", "2740", 3),
            &read(40, "first-8", "2740", 6),
        ],
        &expect![[r#"
            3 of 3: delivered to first (8) | delivered to first (8)
            1 of 1: delivered to first (8) (inferred) | delivered to first (8)
            5 of 5: delivered to first (8) (inferred) | delivered to first (8)
        "#]],
    );
}

/// It is fetched out of a segment that others have followed.
#[test]
fn a_fetched_byte_is_that_of_the_segment_that_ends_in_it() {
    check_ends(
        &[
            &urgent(10, "2740", 4),
            &segment(20, "2840", 5),
            &fetched(25, "first-8"),
            &read(30, "first-8", "2740", 3),
            &read(40, "first-8", "2740", 5),
        ],
        &expect![[r#"
            4 of 4: delivered to first (8) | delivered to first (8)
            5 of 5: delivered to first (8) (inferred) | delivered to first (8)
        "#]],
    );
}
