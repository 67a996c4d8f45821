//! Depths by counting the packets that stay at a queue's station.

use std::collections::BTreeMap;

use crate::journey::{Journeys, Stay};
use crate::kernel::{EventIdx, Field, NameId, Nanos, PacketId, Probe, QueueKind};
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
    for (stay, whose) in journeys.stays.iter().zip(of_stays) {
        let Some(whose) = *whose else {
            continue;
        };
        let is_hidden = whose.0 == QueueKind::RxRing && !is_ring_observed;
        if is_hidden || stay.leave <= stay.enter {
            continue;
        }
        let change = changes.entry(whose).or_default();
        change.push((stay.enter, 1));
        change.push((stay.leave, -1));
    }
    let mut steps = Steps::default();
    let mut stays = BTreeMap::new();
    for (whose, changes) in changes {
        stays.insert(whose, changes.len() as u64 / 2);
        steps.count(whose, changes);
    }
    (steps, stays)
}

/// Whose queue a stay is in.
pub(super) fn key_of(
    run: &Run,
    journeys: &Journeys,
    packet: PacketId,
    kind: QueueKind,
    stay: &Stay,
    later: &[Stay],
) -> QueueKey {
    match kind {
        QueueKind::RxRing | QueueKind::Qdisc | QueueKind::TxRing => {
            let device = |event: EventIdx| run.field(event, Field::Dev);
            near(journeys.events(packet), stay.event, device)
                .map_or(QueueKey::None, |name| QueueKey::Device(NameId(name)))
        }
        QueueKind::SocketBacklog
        | QueueKind::Prequeue
        | QueueKind::OutOfOrder
        | QueueKind::ReceiveQueue
        | QueueKind::WriteQueue => {
            let socket = |event: EventIdx| Some(run.sk[event.at()]).filter(|sk| sk.is_some());
            let known = near(journeys.events(packet), stay.event, socket);
            let sk = known.or(Some(journeys.packets[packet.at()].sk).filter(|sk| sk.is_some()));
            sk.map_or(QueueKey::None, QueueKey::Socket)
        }
        // It waits for the CPU that takes it up next.
        QueueKind::Backlog => {
            let next = later.iter().find(|next| next.piece == stay.piece);
            let target = run.field(stay.event, Field::TargetCpu);
            let named = target.map(|cpu| crate::kernel::CpuId(cpu as u16));
            QueueKey::Cpu(next.map(|next| next.cpu).or(named).unwrap_or(stay.cpu))
        }
        QueueKind::Reassembly | QueueKind::RunQueue => QueueKey::None,
    }
}

/// A value that the event, a later one of the packet or an earlier one has, in this order.
fn near<T>(
    events: &[EventIdx],
    event: EventIdx,
    value: impl Fn(EventIdx) -> Option<T>,
) -> Option<T> {
    let from = events.partition_point(|&other| other < event);
    let mut order = events[from..].iter().chain(events[..from].iter().rev());
    order.find_map(|&event| value(event))
}
