//! Streams: bytes that are taken out of their order.
//!
//! The lines are of kernel 6.18.

use super::readers::{check_ends, read, returned, segment};
use super::*;

/// What comes behind the urgent byte joins it in its `sk_buff`, which the copies name.
#[test]
fn the_urgent_byte_stays_in_the_queue_and_is_stepped_over() {
    check_ends(
        &[
            &segment(10, "2740", 1),
            &segment(14, "2840", 3),
            &returned(20, "first-8", 1).replace("flags = 0x0", "flags = 0x1"),
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
