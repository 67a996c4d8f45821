//! The segment that TCP is processing, for each context of a CPU: a task that processes its socket's backlog may be
//! interrupted by a softirq that receives other segments.

use std::collections::BTreeMap;

use crate::kernel::{Context, Event, PacketId, Pid};

/// The segments in `tcp_rcv_established` on one CPU.
#[derive(Debug, Default)]
pub struct InTcp {
    segments: BTreeMap<Context, (PacketId, Pid)>,
    /// Segments whose sockets have just signalled their readers.
    signalled: BTreeMap<Context, (PacketId, Pid)>,
}

impl InTcp {
    /// TCP starts to process a segment.
    pub fn turn_to(&mut self, packet: PacketId, event: &Event) {
        self.leave(event);
        self.segments.insert(event.context, (packet, event.pid));
    }

    /// The segment being processed in the context and task of an event.
    pub fn at(&self, event: &Event) -> Option<PacketId> {
        let &(packet, pid) = self.segments.get(&event.context)?;
        (pid == event.pid).then_some(packet)
    }

    /// The segments being processed, in all contexts.
    pub fn segments(&self) -> impl Iterator<Item = PacketId> + '_ {
        self.segments.values().map(|&(packet, _)| packet)
    }

    /// TCP has finished with the segment in the context and task of an event.
    pub fn leave(&mut self, event: &Event) -> Option<PacketId> {
        let packet = self.at(event);
        self.segments.remove(&event.context);
        self.signalled.remove(&event.context);
        packet
    }

    /// The segment's socket signals its reader: TCP has finished with it.
    pub fn signal(&mut self, event: &Event) -> Option<PacketId> {
        let packet = self.leave(event)?;
        self.signalled.insert(event.context, (packet, event.pid));
        Some(packet)
    }

    /// The segment for which its socket has signalled just before, if this is about the same one.
    pub fn signalled(&self, event: &Event) -> Option<PacketId> {
        let &(packet, pid) = self.signalled.get(&event.context)?;
        (pid == event.pid).then_some(packet)
    }
}
