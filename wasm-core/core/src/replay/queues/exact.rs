//! Depths that events tell in numbers.
//!
//! `rmem` is `sk_rmem_alloc` against `sk_rcvbuf`; `backlog` is `sk_backlog.len`;
//! `wqueued` is `sk_wmem_queued`: bytes. `depth` and `limit` are a model's, of the queue
//! at which the event's probe puts a packet, and count packets: where they are told, a
//! queue is shown in packets.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::{CpuId, Event, Field, Probe, QueueKind};
use crate::run::Run;

use super::{QueueKey, Steps, drain, queue_of};

/// What events tell.
#[derive(Debug, Default)]
pub(super) struct Exact {
    /// The depths.
    pub steps: Steps,
    /// How often each queue was told.
    pub often: BTreeMap<(QueueKind, QueueKey), u64>,
    /// What a model told as its packets came, which says nothing of how they leave.
    pub arrivals: drain::Told,
    /// Queues of which packets are told, though their kind has bytes.
    pub in_packets: BTreeSet<(QueueKind, QueueKey)>,
}

/// Reads the numbers off the events.
pub(super) fn read(run: &Run) -> Exact {
    let mut exact = Exact::default();
    let mut counted = Steps::default();
    run.each(|index| {
        let mut told = Told::default();
        for (field, value) in run.fields(index) {
            match field {
                Field::Rmem => told.rmem = Some(value),
                Field::Rcvbuf => told.rcvbuf = value,
                Field::Backlog => told.backlog = Some(value),
                Field::Wqueued => told.wqueued = Some(value),
                Field::Depth => told.depth = Some(value),
                Field::Limit => told.limit = value,
                Field::TargetCpu => told.target = Some(CpuId(value as u16)),
                Field::Dev => told.device = QueueKey::Device(crate::kernel::NameId(value)),
                _ => {}
            }
        }
        if !told.has_depth() {
            return;
        }
        let event = run.event(index);
        let key = QueueKey::Socket(event.sk);
        let mut set = |kind, key, depth, limit| {
            *exact.often.entry((kind, key)).or_insert(0) += 1;
            exact.steps.set(kind, key, event.time, depth, limit);
        };
        if event.sk.is_some() {
            if let Some(rmem) = told.rmem {
                set(QueueKind::ReceiveQueue, key, rmem, told.rcvbuf);
            }
            if let Some(backlog) = told.backlog {
                let limit = if told.depth.is_none() { told.limit } else { 0 };
                set(QueueKind::SocketBacklog, key, backlog, limit);
            }
            if let Some(wqueued) = told.wqueued {
                set(QueueKind::WriteQueue, key, wqueued, 0);
            }
        }
        if let (Some(depth), Some((kind, key))) = (told.depth, queue_at(&event, &told)) {
            *exact.often.entry((kind, key)).or_insert(0) += 1;
            counted.set(kind, key, event.time, depth, told.limit);
        }
        exact.note_arrival(&event, &told);
    });
    for (whose, steps) in counted.queues {
        exact.steps.queues.insert(whose, steps);
        if whose.0.unit() == "bytes" {
            exact.in_packets.insert(whose);
        }
    }
    exact
}

impl Exact {
    /// Keeps what a model tells of a queue, each time it does.
    fn note_arrival(&mut self, event: &Event, told: &Told) {
        let backlog = told
            .backlog
            .filter(|_| event.sk.is_some() && told.limit > 0);
        let arrived = match (told.depth, backlog) {
            (Some(depth), _) => queue_at(event, told).map(|whose| (whose, depth)),
            (None, Some(bytes)) => {
                let whose = (QueueKind::SocketBacklog, QueueKey::Socket(event.sk));
                Some((whose, bytes))
            }
            (None, None) => None,
        };
        if let Some((whose, depth)) = arrived {
            let told = (event.time, depth, told.limit);
            self.arrivals.entry(whose).or_default().push(told);
        }
    }
}

/// What one event tells.
struct Told {
    rmem: Option<u32>,
    rcvbuf: u32,
    backlog: Option<u32>,
    wqueued: Option<u32>,
    depth: Option<u32>,
    limit: u32,
    device: QueueKey,
    /// The CPU on whose backlog a packet is put.
    target: Option<CpuId>,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            rmem: None,
            rcvbuf: 0,
            backlog: None,
            wqueued: None,
            depth: None,
            limit: 0,
            device: QueueKey::None,
            target: None,
        }
    }
}

impl Told {
    fn has_depth(&self) -> bool {
        let depths = [self.rmem, self.backlog, self.wqueued, self.depth];
        depths.iter().any(Option::is_some)
    }
}

/// The queue that a model's depth is about.
fn queue_at(event: &Event, told: &Told) -> Option<(QueueKind, QueueKey)> {
    if event.probe == Probe::RunQueue {
        return Some((QueueKind::RunQueue, QueueKey::Cpu(event.cpu)));
    }
    let kind = queue_of(event.probe.station()?)?;
    let socket = if event.sk.is_some() {
        QueueKey::Socket(event.sk)
    } else {
        QueueKey::None
    };
    let key = match kind {
        QueueKind::RxRing | QueueKind::TxRing | QueueKind::Qdisc => told.device,
        QueueKind::Backlog => QueueKey::Cpu(told.target.unwrap_or(event.cpu)),
        QueueKind::RunQueue => QueueKey::Cpu(event.cpu),
        QueueKind::SocketBacklog
        | QueueKind::Prequeue
        | QueueKind::OutOfOrder
        | QueueKind::ReceiveQueue
        | QueueKind::WriteQueue => socket,
        QueueKind::Reassembly => QueueKey::None,
    };
    Some((kind, key))
}
