//! Packets that a generic XDP program redirects to a cpumap. Each waits in the map's ring as an `sk_buff`, and the
//! map's kernel thread passes it into the stack again, as a rule on another CPU (`kernel/bpf/cpumap.c:
//! cpu_map_generic_redirect`, `cpu_map_kthread_run`, v6.18). The ring's event, `xdp_cpumap_enqueue`, names no packet.
//!
//! Native XDP redirects frames; the thread builds a new `sk_buff` of each, whose address may have been any packet's.
//! So a packet is taken to continue in the thread only if the stack had merely received it, on the same device, and
//! no free of it was recorded. Where `consume_skb` is not recorded its length must also be unchanged, and the
//! continuation is marked as inferred.

use std::collections::BTreeSet;

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::order::{IDLE_GAP, Order};
use crate::kernel::{
    Context, Event, EventIdx, Field, PacketId, Pid, Probe, Probes, Station, Verdict,
};
use crate::run::Run;

/// Prefix of the threads' names: `cpumap/%d/map:%d`, truncated by the kernel to 15 characters.
const THREAD: &str = "cpumap/";

/// Where a thread passes packets into the stack: GRO since v6.15, `netif_receive_skb_list` before.
const ENTRIES: Probes = Probes::of(&[
    Probe::NapiGroReceiveEntry,
    Probe::NetifReceiveSkbListEntry,
    Probe::NetifReceiveSkbEntry,
    Probe::NetifReceiveSkb,
]);

/// Stations of a packet that has been received and has gone no further.
const RECEIVED: [Station; 4] = [
    Station::Driver,
    Station::Gro,
    Station::Backlog,
    Station::NetCore,
];

/// The threads of the run's cpumaps.
#[derive(Debug)]
pub struct Cpumaps {
    threads: BTreeSet<Pid>,
    /// `consume_skb` is not recorded.
    are_frees_unseen: bool,
}

impl Cpumaps {
    pub fn of(run: &Run, passed: &Probes) -> Self {
        let pids = run.comm.keys().copied();
        let is_thread = |&pid: &Pid| run.comm(pid).is_some_and(|comm| comm.starts_with(THREAD));
        Self {
            threads: pids.filter(is_thread).collect(),
            are_frees_unseen: !passed.has(Probe::ConsumeSkb),
        }
    }

    /// Whether such a thread itself runs, with no softirq on top of it.
    pub fn are_at_work(&self, event: &Event) -> bool {
        let is_itself = matches!(event.context, Context::Kernel | Context::Unknown);
        is_itself && self.threads.contains(&event.pid)
    }
}

impl Stitcher<'_> {
    /// Whether the packet, which was received and redirected, continues in a cpumap thread at this event.
    pub fn leaves_cpumap(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        if !ENTRIES.has(event.probe) || !self.cpumaps.are_at_work(event) {
            return false;
        }
        let draft = &self.table[packet];
        let Some(came) = self.table.came_by(draft).map(|came| self.run.event(came)) else {
            return false;
        };
        let is_received = draft.order >= Order::ARRIVE
            && Some(draft.order) <= Order::of(Probe::NetifReceiveSkb)
            && draft.station().is_none_or(|at| RECEIVED.contains(&at));
        let is_by_same = draft.dev.is_some() && self.run.field(index, Field::Dev) == draft.dev;
        let is_as_long = came.len == event.len || !self.cpumaps.are_frees_unseen;
        is_received
            && draft.outcome.verdict == Verdict::Open
            && is_by_same
            && is_as_long
            && !self.cpumaps.are_at_work(&came)
            && event.time.since(came.time) <= IDLE_GAP
    }

    /// A packet continues in a cpumap thread: the CPU that redirected it no longer has it. The thread dequeues
    /// several packets before it passes on the first.
    pub fn note_cpumap(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        if !self.leaves_cpumap(packet, index, event) {
            return;
        }
        let came = self.table.came_by(&self.table[packet]);
        if let Some(came) = came {
            let cpu = self.cpus.at(self.run.cpu[came.at()]);
            cpu.receiving.hand_on(packet);
        }
        let draft = &mut self.table[packet];
        draft.origin = Some(Probe::NetifReceiveSkbListEntry);
        draft.outcome.is_inferred |= self.cpumaps.are_frees_unseen;
    }
}
