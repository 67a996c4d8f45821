//! Every queue of a run: its depth and limit as a step function of time.
//!
//! Exact values are used where the recording has them (`rmem`, `backlog`, `wqueued`, a model's
//! `depth`); otherwise the packets that stay at the queue's station are counted. The depth of
//! a NIC's ring is known only where the link was recorded too. A limit of 0 was not recorded.

mod drain;
mod exact;
mod occupancy;
mod run_queue;

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::journey::Journeys;
use crate::kernel::{AddrId, CpuId, Field, NameId, Nanos, Origin, QueueKind, Station};
use crate::order;
use crate::run::Run;

use super::machine::Waits;

/// What tells a queue from others of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum QueueKey {
    /// There is only one, or the recording does not tell them apart.
    None,
    /// A CPU's.
    Cpu(CpuId),
    /// A device's, by its name.
    Device(NameId),
    /// A socket's.
    Socket(AddrId),
}

/// One queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queue {
    /// Of which kind.
    pub kind: QueueKind,
    /// Whose.
    pub key: QueueKey,
    /// The same for people: `CPU 1`, `eth0`, `port 5001`; empty where there is only one.
    pub label: String,
    /// Unit of depth and limit: bytes where the recording has bytes, otherwise the thing that is counted.
    pub unit: &'static str,
    /// When the depth or the limit changes, strictly ascending.
    pub at: Vec<Nanos>,
    /// The depth from then on.
    pub depth: Vec<u32>,
    /// The limit from then on; 0 while unknown.
    pub limit: Vec<u32>,
}

impl Queue {
    /// Depth and limit at a time; nothing before the first change.
    pub fn at(&self, time: Nanos) -> (u32, u32) {
        match self.step_at(time) {
            Some(step) => (self.depth[step], self.limit[step]),
            None => (0, 0),
        }
    }

    /// The step that holds at a time.
    pub fn step_at(&self, time: Nanos) -> Option<usize> {
        self.at.partition_point(|&at| at <= time).checked_sub(1)
    }

    /// The largest depth of the run.
    pub fn max_depth(&self) -> u32 {
        self.depth.iter().copied().max().unwrap_or(0)
    }

    /// The largest depth between two times and the sum of depth times nanoseconds.
    pub fn between(&self, from: Nanos, to: Nanos) -> (u32, u128) {
        let (mut max, mut sum) = (0, 0);
        let first = self.step_at(from).unwrap_or(0);
        for step in first..self.at.len() {
            let begin = self.at[step].max(from);
            if begin > to {
                break;
            }
            let end = self.at.get(step + 1).copied().unwrap_or(to).min(to);
            max = max.max(self.depth[step]);
            sum += u128::from(self.depth[step]) * u128::from(end.since(begin));
        }
        (max, sum)
    }
}

/// The steps of queues under way, by kind and key.
#[derive(Debug, Default)]
struct Steps {
    queues: BTreeMap<(QueueKind, QueueKey), Vec<DepthStep>>,
}

/// From when on, how deep, how deep at most.
type DepthStep = (Nanos, u32, u32);

impl Steps {
    /// Sets depth and limit from `time` on. Of several values at one time the last holds.
    fn set(&mut self, kind: QueueKind, key: QueueKey, time: Nanos, depth: u32, limit: u32) {
        let steps = self.queues.entry((kind, key)).or_default();
        if steps.last().is_some_and(|&(at, ..)| at == time) {
            steps.pop();
        }
        let is_same = steps
            .last()
            .is_some_and(|&(_, d, l)| (d, l) == (depth, limit));
        if !is_same {
            steps.push((time, depth, limit));
        }
    }

    /// Sets a queue's depth from arrivals (+1) and departures
    /// (-1), given in any order. Its limit stays unknown.
    fn count(&mut self, (kind, key): Whose, mut changes: Vec<(Nanos, i64)>) {
        order::sort(&mut changes);
        let mut depth = 0;
        for (time, by) in changes {
            depth += by;
            self.set(kind, key, time, depth.max(0) as u32, 0);
        }
    }
}

/// Every queue of the run, by kind and key.
pub(super) fn of(
    run: &Run,
    journeys: &Journeys,
    of_stays: &[Option<Whose>],
    waits: &Waits,
) -> Vec<Queue> {
    let exact::Exact {
        steps: mut exact,
        often: told,
        arrivals,
        in_packets,
    } = exact::read(run);
    let (occupancy, stays) = occupancy::steps(run, journeys, of_stays);
    drain::drain(&mut exact, &arrivals, &in_packets, &occupancy);
    // Recorded depths are preferred to counting, unless they are rarer than the packets, or come from probes
    // at the entry of a function: those report the depth before it, which may be 0 although packets wait.
    exact.queues.retain(|whose, steps| {
        let is_told_often = told.get(whose) >= stays.get(whose);
        is_told_often && steps.iter().any(|&(_, depth, _)| depth > 0)
    });
    let mut counted = run_queue::steps(run, waits).queues;
    counted.extend(occupancy.queues);
    counted.retain(|whose, _| !exact.queues.contains_key(whose));

    let names = names_of_sockets(run);
    let mut queues: Vec<Queue> = Vec::new();
    for (all, is_exact) in [(counted, false), (exact.queues, true)] {
        for ((kind, key), steps) in all {
            queues.push(Queue {
                kind,
                key,
                label: label(run, &names, key),
                unit: if is_exact && !in_packets.contains(&(kind, key)) {
                    kind.unit()
                } else {
                    counted_unit(kind)
                },
                at: steps.iter().map(|step| step.0).collect(),
                depth: steps.iter().map(|step| step.1).collect(),
                limit: steps.iter().map(|step| step.2).collect(),
            });
        }
    }
    // `eth2` before `eth10`, and CPUs by number.
    order::sort_by(&mut queues, |one, other| {
        let length = |queue: &Queue| queue.label.len();
        (one.kind, length(one), &one.label, one.key).cmp(&(
            other.kind,
            length(other),
            &other.label,
            other.key,
        ))
    });
    queues
}

/// What tells a queue from all others.
pub(super) type Whose = (QueueKind, QueueKey);

/// For each stay of the run, in their order, the queue in which it is, if it is in one.
pub(super) fn of_stays(run: &Run, journeys: &Journeys) -> Vec<Option<Whose>> {
    let mut found = Vec::with_capacity(journeys.stays.len());
    journeys.each(|packet| {
        let stays = journeys.stays(packet);
        let named = occupancy::Named::of(run, journeys, packet);
        found.extend(stays.iter().enumerate().map(|(at, stay)| {
            let kind = queue_of(stay.station)?;
            let next = stay.next(at).map(|next| &stays[next]);
            let key = named.key_of(kind, stay, next);
            Some((kind, key))
        }));
    });
    found
}

/// The queue in which a packet at this station waits.
const fn queue_of(station: Station) -> Option<QueueKind> {
    match station {
        Station::RxRing => Some(QueueKind::RxRing),
        Station::Backlog => Some(QueueKind::Backlog),
        Station::Reassembly => Some(QueueKind::Reassembly),
        Station::SocketBacklog => Some(QueueKind::SocketBacklog),
        Station::Prequeue => Some(QueueKind::Prequeue),
        Station::OutOfOrder => Some(QueueKind::OutOfOrder),
        Station::ReceiveQueue => Some(QueueKind::ReceiveQueue),
        Station::WriteQueue => Some(QueueKind::WriteQueue),
        Station::Qdisc => Some(QueueKind::Qdisc),
        Station::TxRing => Some(QueueKind::TxRing),
        Station::Wire
        | Station::Driver
        | Station::Xdp
        | Station::Gro
        | Station::NetCore
        | Station::Ip
        | Station::Tcp
        | Station::Udp
        | Station::Transport
        | Station::Process
        | Station::SendCall
        | Station::TcpSend
        | Station::UdpSend
        | Station::TransportSend
        | Station::IpSend
        | Station::DriverSend
        | Station::WireSend => None,
    }
}

/// The unit where packets are counted.
const fn counted_unit(kind: QueueKind) -> &'static str {
    match kind {
        QueueKind::SocketBacklog | QueueKind::ReceiveQueue | QueueKind::WriteQueue => "packets",
        QueueKind::RxRing
        | QueueKind::Backlog
        | QueueKind::Reassembly
        | QueueKind::Prequeue
        | QueueKind::OutOfOrder
        | QueueKind::Qdisc
        | QueueKind::TxRing
        | QueueKind::RunQueue => kind.unit(),
    }
}

/// The sockets that packets belonged to, with what they are called: by port, and by
/// address where several have one port.
pub fn sockets(run: &Run, journeys: &Journeys) -> Vec<(AddrId, String)> {
    let names = names_of_sockets(run);
    let known: BTreeSet<AddrId> = journeys
        .packets
        .iter()
        .map(|packet| packet.sk)
        .filter(|sk| sk.is_some())
        .collect();
    let mut bearers: BTreeMap<&str, usize> = BTreeMap::new();
    for name in known.iter().filter_map(|sk| names.get(sk)) {
        *bearers.entry(name).or_default() += 1;
    }
    known
        .iter()
        .map(|&sk| {
            let name = label(run, &names, QueueKey::Socket(sk));
            let own = names.get(&sk);
            let is_shared = own.is_some_and(|name| bearers[name.as_str()] > 1);
            let address = run.addresses.value(sk);
            let text = if is_shared {
                format!("{name} ({address:x})")
            } else {
                name
            };
            (sk, text)
        })
        .collect()
}

/// What a socket is called: by its port where that is known.
pub(super) fn socket_names(run: &Run) -> impl Fn(AddrId) -> String + '_ {
    let names = LazyCell::new(|| names_of_sockets(run));
    move |sk| label(run, &names, QueueKey::Socket(sk))
}

/// The sockets that have a name: their local port, where an event tells it; in a
/// simulation, whose addresses mean nothing, a number in order of their first events.
fn names_of_sockets(run: &Run) -> BTreeMap<AddrId, String> {
    let mut ports = BTreeMap::new();
    let mut numbers = BTreeMap::new();
    run.each(|index| {
        let sk = run.sk(index);
        if !sk.is_some() {
            return;
        }
        if run.origin == Origin::Simulated {
            let number = numbers.len() + 1;
            numbers.entry(sk).or_insert(number);
        }
        if !ports.contains_key(&sk)
            && let Some(port) = run.field(index, Field::Num).filter(|&port| port != 0)
        {
            ports.insert(sk, port);
        }
    });
    let numbers = numbers.into_iter();
    let mut names: BTreeMap<AddrId, String> = numbers
        .map(|(sk, number)| (sk, format!("socket {number}")))
        .collect();
    names.extend(
        ports
            .into_iter()
            .map(|(sk, port)| (sk, format!("port {port}"))),
    );
    names
}

fn label(run: &Run, names: &BTreeMap<AddrId, String>, key: QueueKey) -> String {
    match key {
        QueueKey::None => String::new(),
        QueueKey::Cpu(cpu) => format!("CPU {}", cpu.0),
        QueueKey::Device(name) => run.names.text(name).to_owned(),
        QueueKey::Socket(sk) => match names.get(&sk) {
            Some(name) => name.clone(),
            None => format!("socket {:x}", run.addresses.value(sk)),
        },
    }
}
