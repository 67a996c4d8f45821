//! The segment that TCP looks at, in each context of a CPU: a task that takes its socket's backlog may be interrupted
//! there by a softirq that receives others.

use std::collections::BTreeMap;

use crate::kernel::{Context, Event, PacketId, Pid};

/// What `tcp_rcv_established` has on one CPU.
#[derive(Debug, Default)]
pub(super) struct InTcp {
    segments: BTreeMap<Context, (PacketId, Pid)>,
}

impl InTcp {
    /// TCP turns to a segment.
    pub fn turn_to(&mut self, packet: PacketId, event: &Event) {
        self.segments.insert(event.context, (packet, event.pid));
    }

    /// The segment that it looks at where an event happens.
    pub fn at(&self, event: &Event) -> Option<PacketId> {
        let &(packet, pid) = self.segments.get(&event.context)?;
        (pid == event.pid).then_some(packet)
    }

    /// TCP is done with what it looked at where an event happens.
    pub fn leave(&mut self, event: &Event) -> Option<PacketId> {
        let packet = self.at(event);
        self.segments.remove(&event.context);
        packet
    }
}
