//! Multipath TCP (MPTCP): its sockets read segments of subflows, which are TCP sockets with streams of their own
//! (`net/mptcp/protocol.c: __mptcp_move_skbs_from_subflow`, `__mptcp_recvmsg_mskq`, v6.18).
//!
//! Each copy names a segment, and its length shows which segments of the subflow were coalesced into that one. A
//! segment before a copied one that was not copied itself is a retransmission of data received before
//! (`__mptcp_retrans`): the socket discards it (`__mptcp_move_skb`) without an event. If a socket has several
//! subflows at a time, the order of data between them is unknown: a segment of one may be coalesced into another's,
//! and stays open.

use super::stream::Stream;
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::copies::CopyOf;
use crate::kernel::{AddrId, DropReason, Event, EventIdx, PacketId, Verdict};

/// A segment that was not copied although a later one was.
#[derive(Debug, Clone, Copy)]
pub struct PassedOver {
    pub packet: PacketId,
    pub behind: PacketId,
    /// The multipath TCP socket that read the later one.
    pub reader: AddrId,
}

impl Stream {
    /// The stream's own socket is read, not a multipath TCP socket of which it is a subflow.
    pub const fn read_by_itself(&mut self) {
        self.reader = AddrId::NONE;
    }
}

impl Stitcher<'_> {
    /// A call returns that read a multipath TCP socket.
    pub fn read_multipath(&mut self, index: EventIdx, event: &Event, copied: &[CopyOf]) {
        for &copy in copied {
            let subflow = self.table[copy.packet].sk;
            self.tcp.inferred(subflow).reader = event.sk;
            self.leave_closing_backlog(event.pid, subflow);
            self.copy_stream(copy, index, event.pid);
            self.end_with_call(copy.packet, event);
        }
    }

    /// Ends segments that retransmitted data on another subflow: the first copy was read, these were discarded.
    pub fn leave_repeated(&mut self) {
        let of_several = &self.tcp.of_several;
        let streams = self.tcp.inferred.values_mut();
        let passed = streams.flat_map(|stream| std::mem::take(&mut stream.passed));
        let passed: Vec<PassedOver> = passed
            .filter(|passed| !of_several.contains(&passed.reader))
            .collect();
        for PassedOver { packet, behind, .. } in passed {
            let draft = &self.table[packet];
            let is_open = draft.outcome.is_open();
            if is_open && self.are_of_one_flow(packet, behind) {
                let came = draft.entries.last().map(|entry| entry.event);
                let end = came.map_or(self.run.end(), |came| self.run.time(came));
                let reason = DropReason::TcpOldData;
                self.table.close(packet, Verdict::Dropped { reason }, end);
                self.table[packet].outcome.is_inferred = true;
            }
        }
    }
}
