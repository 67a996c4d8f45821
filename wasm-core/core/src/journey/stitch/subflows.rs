//! Multipath TCP (MPTCP): its sockets read segments of subflows, which are TCP sockets with streams of their own
//! (`net/mptcp/protocol.c: __mptcp_move_skbs_from_subflow`, `__mptcp_recvmsg_mskq`, v6.18).
//!
//! Each copy names a segment, and its length shows which segments of the subflow were coalesced into that one. A
//! segment before a copied one that was not copied itself is a retransmission of data received before
//! (`__mptcp_retrans`): the socket discards it (`__mptcp_move_skb`) without an event. If a socket has several
//! subflows at a time, the order of data between them is unknown: a segment of one may be coalesced into another's,
//! and stays open.

use std::collections::{BTreeMap, BTreeSet};

use super::Stitcher;
use crate::kernel::{
    AddrId, DropReason, Event, EventIdx, Field, MPTCP, PacketId, Pid, Probe, Verdict,
};
use crate::run::Run;

/// A segment that was not copied although a later one was.
#[derive(Debug, Clone, Copy)]
pub(super) struct PassedOver {
    pub packet: PacketId,
    pub behind: PacketId,
    /// The multipath TCP socket that read the later one.
    pub reader: AddrId,
}

/// The first and the last `tcp_probe` event of each subflow, by its cookie.
type Spans = BTreeMap<u32, (EventIdx, EventIdx)>;

/// The multipath TCP sockets that read several subflows at a time.
pub(super) fn of_several(run: &Run) -> BTreeSet<AddrId> {
    let is_read = |index: EventIdx| {
        run.probe[index.at()] == Probe::SockRecvLength
            && run.field(index, Field::Proto) == Some(MPTCP)
    };
    if !run.indices().any(is_read) {
        return BTreeSet::new();
    }
    let (mut spans, mut looked_at) = (Spans::new(), BTreeMap::new());
    let mut copied = BTreeMap::<Pid, Vec<AddrId>>::new();
    let mut subflows = BTreeMap::<AddrId, BTreeSet<u32>>::new();
    for index in run.indices() {
        let probe = run.probe[index.at()];
        match probe {
            Probe::TcpProbe => {
                if let Some(cookie) = run.field(index, Field::Cookie) {
                    looked_at.insert(run.skb(index), cookie);
                    spans.entry(cookie).or_insert((index, index)).1 = index;
                }
            }
            Probe::SkbCopyDatagramIovec => {
                let event = run.event(index);
                copied.entry(event.pid).or_default().push(event.skb);
            }
            Probe::SockRecvLength => {
                let event = run.event(index);
                let copied = copied.remove(&event.pid).unwrap_or_default();
                if is_read(index) {
                    let cookies = copied.iter().filter_map(|skb| looked_at.get(skb));
                    subflows.entry(event.sk).or_default().extend(cookies);
                }
            }
            _ => {}
        }
    }
    let are_several = |cookies: &BTreeSet<u32>| {
        let spans = cookies.iter().filter_map(|cookie| spans.get(cookie));
        let mut spans: Vec<_> = spans.collect();
        spans.sort_unstable();
        spans.windows(2).any(|pair| pair[1].0 < pair[0].1)
    };
    let several = subflows.iter().filter(|(_, cookies)| are_several(cookies));
    several.map(|(&socket, _)| socket).collect()
}

impl Stitcher<'_> {
    /// A call returns that read a multipath TCP socket.
    pub(super) fn read_multipath(
        &mut self,
        index: EventIdx,
        event: &Event,
        copied: &[(PacketId, EventIdx, u32)],
    ) {
        for &copy in copied {
            let subflow = self.drafts[copy.0.at()].sk;
            self.reads.stream(subflow).reader = event.sk;
            self.leave_closing_backlog(event.pid, subflow);
            self.copy_stream(copy, index, event.pid);
            self.end_with_call(copy.0, event);
        }
    }

    /// Ends segments that retransmitted data on another subflow: the first copy was read, these were discarded.
    pub(super) fn leave_repeated(&mut self) {
        let of_several = &self.reads.of_several;
        let streams = self.reads.streams.values_mut();
        let passed = streams.flat_map(|stream| std::mem::take(&mut stream.passed));
        let passed: Vec<PassedOver> = passed
            .filter(|passed| !of_several.contains(&passed.reader))
            .collect();
        for PassedOver { packet, behind, .. } in passed {
            let draft = &self.drafts[packet.at()];
            let is_open = draft.verdict == Verdict::Open && !draft.is_closed;
            if is_open && self.are_of_one_flow(packet, behind) {
                let came = draft.entries.last().map(|entry| entry.event);
                let end = came.map_or(self.run.end(), |came| self.run.time(came));
                let reason = DropReason::TcpOldData;
                self.close(packet, Verdict::Dropped { reason }, end);
                self.drafts[packet.at()].is_inferred = true;
            }
        }
    }
}
