//! Packets that a program of generic XDP redirects to a cpumap: each rests in the map's ring as the `sk_buff` that it is, and
//! the map's kernel thread takes it into the stack once more, as a rule on another CPU (`kernel/bpf/cpumap.c:
//! cpu_map_generic_redirect`, `cpu_map_kthread_run`, v6.18). What tells of the ring, `xdp_cpumap_enqueue`, names no packet.
//!
//! Native XDP redirects frames, and the thread makes a new `sk_buff` of each, whose address may have been any packet's. So the
//! packet goes on in the thread only if the stack had no more than received it, by the same device, and no free of it was seen.
//! Where what is consumed is freed unseen it has to be as long as it was too, and that it is the same packet is inferred.

use std::collections::BTreeSet;

use super::Stitcher;
use super::order::{IDLE_GAP, Order};
use crate::kernel::{
    Context, Event, EventIdx, Field, PacketId, Pid, Probe, Probes, Station, Verdict,
};
use crate::run::Run;

/// How the threads' names begin: `cpumap/%d/map:%d`, of which the kernel keeps 15 characters.
const THREAD: &str = "cpumap/";

/// Where a thread's packets come into the stack: by GRO since v6.15, as a list before.
const ENTRIES: Probes = Probes::of(&[
    Probe::NapiGroReceiveEntry,
    Probe::NetifReceiveSkbListEntry,
    Probe::NetifReceiveSkbEntry,
    Probe::NetifReceiveSkb,
]);

/// Where a packet may be that was received and of which nothing else was told.
const RECEIVED: [Station; 4] = [
    Station::Driver,
    Station::Gro,
    Station::Backlog,
    Station::NetCore,
];

/// The threads of the run's cpumaps.
#[derive(Debug)]
pub(super) struct Cpumaps {
    threads: BTreeSet<Pid>,
    /// Nothing tells of what is freed after it served its purpose.
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

    /// Whether such a thread itself is at work, and no softirq on top of it.
    pub fn are_at_work(&self, event: &Event) -> bool {
        let is_itself = matches!(event.context, Context::Kernel | Context::Unknown);
        is_itself && self.threads.contains(&event.pid)
    }
}

impl Stitcher<'_> {
    /// Whether the packet, which was received and redirected, goes on in a cpumap's thread at this event.
    pub(super) fn leaves_cpumap(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        if !ENTRIES.has(event.probe) || !self.cpumaps.are_at_work(event) {
            return false;
        }
        let draft = &self.drafts[packet.at()];
        let Some(came) = self.came_by(draft).map(|came| self.run.event(came)) else {
            return false;
        };
        let is_received = draft.order >= Order::ARRIVE
            && Some(draft.order) <= Order::of(Probe::NetifReceiveSkb)
            && draft.station().is_none_or(|at| RECEIVED.contains(&at));
        let is_by_same = draft.dev.is_some() && self.run.field(index, Field::Dev) == draft.dev;
        let is_as_long = came.len == event.len || !self.cpumaps.are_frees_unseen;
        is_received
            && draft.verdict == Verdict::Open
            && is_by_same
            && is_as_long
            && !self.cpumaps.are_at_work(&came)
            && event.time.since(came.time) <= IDLE_GAP
    }

    /// A packet goes on in a cpumap's thread: the CPU that redirected it does not have it any more, and the thread takes up
    /// several before the first goes on.
    pub(super) fn note_cpumap(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        if !self.leaves_cpumap(packet, index, event) {
            return;
        }
        let came = self.came_by(&self.drafts[packet.at()]);
        if let Some(came) = came {
            let receiving = &mut self.cpu(self.run.cpu[came.at()]).receiving;
            receiving.let_go(packet);
            receiving.silent.retain(|&other| other != packet);
            receiving.last = receiving.last.filter(|&last| last != packet);
        }
        let draft = &mut self.drafts[packet.at()];
        draft.origin = Some(Probe::NetifReceiveSkbListEntry);
        draft.is_inferred |= self.cpumaps.are_frees_unseen;
    }
}
