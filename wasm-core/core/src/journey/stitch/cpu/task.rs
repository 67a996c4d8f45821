//! Tasks between their events: the call that each is in, and what it has copied and read.

use std::collections::{BTreeMap, BTreeSet};

use crate::journey::stitch::packet::copies::CopyOf;
use crate::kernel::{AddrId, EventIdx, PacketId, Pid};

/// The tasks seen so far.
#[derive(Debug, Default)]
pub struct Tasks(BTreeMap<Pid, Task>);

impl Tasks {
    /// A task, which is seen now.
    pub fn of(&mut self, pid: Pid) -> &mut Task {
        self.0.entry(pid).or_default()
    }

    /// A task, if it was seen before.
    pub fn get(&self, pid: Pid) -> Option<&Task> {
        self.0.get(&pid)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, pid: Pid) -> Option<&mut Task> {
        self.0.get_mut(&pid)
    }

    /// The task's call did not read the packet after all.
    pub fn forget(&mut self, pid: Pid, packet: PacketId) {
        if let Some(task) = self.get_mut(pid) {
            task.read.remove(&packet);
        }
    }
}

/// The state of a task between its events.
#[derive(Debug, Default)]
pub struct Task {
    /// The socket of the current call.
    pub sk: AddrId,
    /// The events of the current send call, outermost first.
    pub sending: Vec<EventIdx>,
    /// The copies of the current read: the event, and the bytes copied up to and including it.
    pub copies: Vec<(EventIdx, u64)>,
    /// Packets that the current call has read.
    pub read: BTreeSet<PacketId>,
    /// Packets read by a call of which a return was recorded, and the level of that return (`how_far_out`).
    pub returned: (BTreeSet<PacketId>, u8),
    /// An inner return of this call has already counted its bytes.
    pub is_counted: bool,
    /// The copies of the current read.
    pub copied: Vec<CopyOf>,
    /// The current read freed its packet as a raw socket's read does.
    pub has_read_raw: bool,
    /// The `sk_data_ready` events in its context, for segments from a backlog, since its last read.
    pub readies: Vec<EventIdx>,
    /// What the current splice has done.
    pub splice: Splice,
}

impl Task {
    /// The current read of a socket returns. Returns its copies, and whether it freed its packet as a raw socket's read
    /// does.
    pub fn end_read(&mut self) -> (Vec<CopyOf>, bool) {
        self.splice = Splice::default();
        let is_raw = std::mem::take(&mut self.has_read_raw);
        (std::mem::take(&mut self.copied), is_raw)
    }

    /// The earlier calls have returned.
    pub fn forget_calls(&mut self) {
        self.read.clear();
        self.returned.0.clear();
    }
}

/// A task's read of a socket, which may be a splice.
#[derive(Debug, Default)]
pub struct Splice {
    /// A copy was recorded, so it was another call.
    pub has_copied: bool,
    pub cookie: u32,
    /// The `tcp_rcv_space_adjust` events, one for each pass over the stream.
    pub adjusted: Vec<EventIdx>,
}
