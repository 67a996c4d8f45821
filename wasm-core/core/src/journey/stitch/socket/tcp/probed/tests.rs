//! Consecutive packets that add up to a payload are found in one pass, and are those that trying every pair of ends
//! finds.

use proptest::prelude::*;

use super::first_that_add_up;
use crate::kernel::PacketId;

/// The same by trying every first packet and every last one.
fn by_trying_all(own: &[u32], payload: u32) -> Option<usize> {
    (0..own.len()).find(|&first| {
        let ends = first + 1..=own.len();
        ends.into_iter()
            .any(|end| own[first..end].iter().sum::<u32>() == payload)
    })
}

fn in_one_pass(own: &[u32], payload: u32) -> (Option<usize>, usize) {
    let mut looked_at = 0;
    let packets = own.iter().enumerate().map(|(at, &own)| {
        looked_at += 1;
        (PacketId(at as u32), own)
    });
    let first = first_that_add_up(packets, payload);
    (first.map(PacketId::at), looked_at)
}

proptest! {
    #[test]
    fn one_pass_finds_what_trying_all_finds(
        own in prop::collection::vec(1u32..6, 0..40),
        payload in 0u32..40,
    ) {
        let (first, looked_at) = in_one_pass(&own, payload);
        prop_assert_eq!(first, by_trying_all(&own, payload));
        prop_assert!(looked_at <= own.len());
    }
}
