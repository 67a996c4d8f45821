//! TCP's numbers as a recording tells them.

use crate::kernel::{EventIdx, Field};
use crate::run::Run;

/// The number that a segment acknowledges, where it has one (RFC 9293 section 3.1).
pub(crate) fn acknowledged(run: &Run, index: EventIdx) -> Option<u32> {
    const ACK: u32 = 0x10;
    let has_ack = run
        .field(index, Field::TcpFlags)
        .is_none_or(|flags| flags & ACK != 0);
    run.field(index, Field::AckNo)
        .filter(|&ack| has_ack && ack != 0)
}

/// Whether a sequence number is above another (RFC 9293 section 3.4).
pub(crate) const fn is_above(one: u32, other: u32) -> bool {
    one.wrapping_sub(other).cast_signed() > 0
}
