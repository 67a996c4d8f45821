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
