//! Depths by counting the packets that stay at a queue's station.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use crate::blocks;
use crate::journey::{Journeys, Stay};
use crate::kernel::{AddrId, CpuId, EventIdx, Field, NameId, Nanos, PacketId, Probe, QueueKind};
use crate::run::Run;

use super::{QueueKey, Steps, Whose};

/// Counts the stays of every queue; with the steps how many stays there were.
pub(super) fn steps(
    run: &Run,
    journeys: &Journeys,
    of_stays: &[Option<Whose>],
) -> (Steps, BTreeMap<Whose, u64>) {
    let is_ring_observed = run.probe.contains(&Probe::WireRx) || run.probe.contains(&Probe::RxDma);
    let mut changes: BTreeMap<Whose, Vec<(Nanos, i64)>> = BTreeMap::new();
    blocks::each(journeys.stays.len(), |at| {
        let (stay, Some(whose)) = (&journeys.stays[at], of_stays[at]) else {
            return;
        };
        let is_hidden = whose.0 == QueueKind::RxRing && !is_ring_observed;
        if is_hidden || stay.leave <= stay.enter {
            return;
        }
        let change = changes.entry(whose).or_default();
        change.push((stay.enter, 1));
        change.push((stay.leave, -1));
    });
    let mut steps = Steps::default();
    let mut stays = BTreeMap::new();
    for (whose, changes) in changes {
        stays.insert(whose, changes.len() as u64 / 2);
        steps.count(whose, changes);
    }
    (steps, stays)
}

/// What the events of one packet name, looked up once for all of its stays.
pub(super) struct Named<'run> {
    run: &'run Run,
    events: &'run [EventIdx],
    /// The packet's own socket.
    sk: AddrId,
    sockets: OnceCell<Vec<(EventIdx, AddrId)>>,
    devices: OnceCell<Vec<(EventIdx, NameId)>>,
}

impl<'run> Named<'run> {
    pub fn of(run: &'run Run, journeys: &'run Journeys, packet: PacketId) -> Self {
        Self {
            run,
            events: journeys.events(packet),
            sk: journeys.packets[packet.at()].sk,
            sockets: OnceCell::new(),
            devices: OnceCell::new(),
        }
    }

    /// Whose queue of this kind a stay of the packet is in, given the stay in which it goes on.
    pub fn key_of(&self, kind: QueueKind, stay: &Stay, next: Option<&Stay>) -> QueueKey {
        let run = self.run;
        match kind {
            QueueKind::RxRing | QueueKind::Qdisc | QueueKind::TxRing => {
                let device = |event: EventIdx| run.field(event, Field::Dev).map(NameId);
                self.near(stay.event, &self.devices, device)
                    .map_or(QueueKey::None, QueueKey::Device)
            }
            QueueKind::SocketBacklog
            | QueueKind::Prequeue
            | QueueKind::OutOfOrder
            | QueueKind::ReceiveQueue
            | QueueKind::WriteQueue => {
                let known = |sk: &AddrId| sk.is_some();
                let socket = |event: EventIdx| Some(run.sk(event)).filter(known);
                let named = self.near(stay.event, &self.sockets, socket);
                let sk = named.or(Some(self.sk).filter(known));
                sk.map_or(QueueKey::None, QueueKey::Socket)
            }
            // The queue that it was put into, else that of the CPU that takes it up next: before
            // softnet another CPU may empty it.
            QueueKind::Backlog => {
                let named = self.put_on(stay);
                let taker = next.map(|next| next.cpu);
                QueueKey::Cpu(named.or(taker).unwrap_or(stay.cpu))
            }
            QueueKind::Reassembly | QueueKind::RunQueue => QueueKey::None,
        }
    }

    /// The CPU on whose backlog an event of a stay puts the packet.
    fn put_on(&self, stay: &Stay) -> Option<CpuId> {
        let from = self.events.partition_point(|&event| event < stay.event);
        let mut within = self.events[from..]
            .iter()
            .take_while(|event| self.run.time(**event) <= stay.leave);
        let named = |&event: &EventIdx| self.run.field(event, Field::TargetCpu);
        within.find_map(named).map(|cpu| CpuId(cpu as u16))
    }

    /// A value that the event, a later one of the packet or an earlier one has, in this order.
    fn near<T: Copy>(
        &self,
        event: EventIdx,
        all: &OnceCell<Vec<(EventIdx, T)>>,
        value: impl Fn(EventIdx) -> Option<T>,
    ) -> Option<T> {
        if let Some(own) = value(event) {
            return Some(own);
        }
        let with = |&event: &EventIdx| Some((event, value(event)?));
        let all = all.get_or_init(|| self.events.iter().filter_map(with).collect());
        let from = all.partition_point(|&(other, _)| other < event);
        let found = all.get(from).or_else(|| all.get(from.checked_sub(1)?));
        found.map(|&(_, value)| value)
    }
}
