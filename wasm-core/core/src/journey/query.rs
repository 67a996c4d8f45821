//! The table of journeys, filtered and sorted: what the page's table and the
//! command line ask.

use super::{FlowId, Journeys, Packet};
use crate::kernel::{
    AddrId, CpuId, Direction, DropReason, Nanos, PacketId, Station, Verdict, VerdictKind,
    sum_of_nanos,
};
use crate::order;

/// What to sort by; equal rows stay in order of their start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// First event.
    #[default]
    Start,
    /// From first event to end.
    Duration,
    /// Time in which nobody worked on it.
    Wait,
    /// Time in which a CPU worked on it.
    Service,
    /// Size in bytes.
    Bytes,
    /// Kind of end.
    Verdict,
    /// Flow.
    Flow,
    /// How many different CPUs had it.
    Cpus,
}

/// Which journeys, in which order. A filter that is none lets everything pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Query {
    /// What to sort by.
    pub sort: Sort,
    /// Largest first.
    pub is_descending: bool,
    /// Of this flow.
    pub flow: Option<FlowId>,
    /// Of this socket.
    pub sk: Option<AddrId>,
    /// That were on this CPU.
    pub cpu: Option<CpuId>,
    /// That were at this station.
    pub station: Option<Station>,
    /// That ended so.
    pub verdict: Option<VerdictKind>,
    /// That were dropped for this reason.
    pub reason: Option<DropReason>,
    /// That set out this way.
    pub direction: Option<Direction>,
    /// That took at least so long, in nanoseconds.
    pub min_duration: Option<u64>,
    /// That took at most so long, in nanoseconds.
    pub max_duration: Option<u64>,
    /// That were under way at this time or later.
    pub from: Option<Nanos>,
    /// That were under way at this time or earlier.
    pub to: Option<Nanos>,
}

impl Journeys {
    /// The journeys that pass every filter, sorted.
    pub fn query(&self, query: &Query) -> Vec<PacketId> {
        let mut rows: Vec<(u64, PacketId)> = self
            .ids()
            .filter(|&id| self.passes(id, query))
            .map(|id| (self.key(id, query.sort), id))
            .collect();
        if query.is_descending {
            order::sort_by(&mut rows, |a, b| (b.0, a.1).cmp(&(a.0, b.1)));
        } else {
            order::sort(&mut rows);
        }
        rows.into_iter().map(|(_, id)| id).collect()
    }

    /// Nanoseconds of a journey in which a CPU worked on the packet.
    pub fn service(&self, packet: PacketId) -> u64 {
        sum_of_nanos(self.stays(packet).iter().map(|stay| stay.service))
    }

    /// Nanoseconds of a journey in which nobody worked on the packet.
    pub fn wait(&self, packet: PacketId) -> u64 {
        sum_of_nanos(self.stays(packet).iter().map(super::Stay::wait))
    }

    fn passes(&self, id: PacketId, query: &Query) -> bool {
        let packet = &self.packets[id.at()];
        let duration = duration(packet);
        let reason = match packet.verdict {
            Verdict::Dropped { reason } => Some(reason),
            _ => None,
        };
        query.flow.is_none_or(|flow| packet.flow == flow)
            && query.sk.is_none_or(|sk| packet.sk == sk)
            && query
                .verdict
                .is_none_or(|kind| packet.verdict.kind() == kind)
            && (query.reason.is_none() || query.reason == reason)
            && query.direction.is_none_or(|way| packet.direction == way)
            && query.min_duration.is_none_or(|least| duration >= least)
            && query.max_duration.is_none_or(|most| duration <= most)
            && query.from.is_none_or(|from| packet.end >= from)
            && query.to.is_none_or(|to| packet.start <= to)
            && query
                .cpu
                .is_none_or(|cpu| self.stays(id).iter().any(|stay| stay.cpu == cpu))
            && query.station.is_none_or(|station| {
                let mut stays = self.stays(id).iter();
                stays.any(|stay| stay.station == station)
            })
    }

    fn key(&self, id: PacketId, sort: Sort) -> u64 {
        let packet = &self.packets[id.at()];
        match sort {
            Sort::Start => packet.start.0,
            Sort::Duration => duration(packet),
            Sort::Wait => self.wait(id),
            Sort::Service => self.service(id),
            Sort::Bytes => u64::from(packet.bytes),
            Sort::Verdict => packet.verdict.kind() as u64,
            Sort::Flow => u64::from(packet.flow.0),
            Sort::Cpus => {
                let mut cpus: Vec<CpuId> = self.stays(id).iter().map(|stay| stay.cpu).collect();
                order::sort(&mut cpus);
                cpus.dedup();
                cpus.len() as u64
            }
        }
    }
}

const fn duration(packet: &Packet) -> u64 {
    packet.end.since(packet.start)
}
