//! TCP's numbers as a recording tells them.

use crate::kernel::{EventIdx, Field, Probe};
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

/// Whether TCP sent a segment again at this event. Since v6.18 the kernel traces an attempt that failed too, with its
/// error (`net/ipv4/tcp_output.c: __tcp_retransmit_skb`).
pub(crate) fn is_sent_again(run: &Run, index: EventIdx) -> bool {
    let has_failed = || {
        run.field(index, Field::Error)
            .is_some_and(|error| error != 0)
    };
    run.probe[index.at()] == Probe::TcpRetransmitSkb && !has_failed()
}
