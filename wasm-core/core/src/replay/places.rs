//! Where packets are drawn, for the run as a whole: the queue of each stay,
//! the CPU beside which a queue is drawn, and the stations that are ever used.
//! The stage lays itself out by these, so nothing jumps while time runs.

use std::collections::BTreeMap;

use crate::journey::{Journeys, Stay};
use crate::kernel::{AddrId, Context, CpuId, Pid, QueueKind, Station, Verdict};
use crate::run::Run;

use super::queues::{Queue, QueueKey, Whose};

/// No queue in a column of 32 bits.
pub const NO_QUEUE: u32 = u32::MAX;

/// How much a station of a CPU is used in the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    /// The station.
    pub station: Station,
    /// The CPU that its packets stand with; unknown where the record names none.
    pub cpu: CpuId,
    /// Stays there.
    pub stays: u32,
    /// Packets dropped there.
    pub drops: u32,
    /// Stays there of packets that were drawn with another CPU before.
    pub crossings: u32,
}

/// The places of a run.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// For each stay its queue, or [`NO_QUEUE`].
    queue: Vec<u32>,
    /// For each queue the CPU with which it is drawn.
    pub home: Vec<CpuId>,
    /// For each queue of a socket that receives the task that reads most packets of the socket;
    /// unknown where no read tells.
    pub reader: Vec<Pid>,
    /// By station and CPU.
    pub visits: Vec<Visit>,
}

impl Places {
    /// Reads the places off the stays.
    pub(super) fn of(
        run: &Run,
        journeys: &Journeys,
        queues: &[Queue],
        of_stays: &[Option<Whose>],
    ) -> Self {
        let queue = queue_of_stays(queues, of_stays);
        let home = homes(journeys, queues, &queue);
        let reader = readers(run, journeys, queues, &queue);
        let mut places = Self {
            queue,
            home,
            reader,
            visits: Vec::new(),
        };
        places.visits = places.visits(journeys);
        places
    }

    /// The queue of a stay, by its place in [`Journeys::stays`]; [`NO_QUEUE`] outside of any.
    pub fn queue(&self, stay: usize) -> u32 {
        self.queue.get(stay).copied().unwrap_or(NO_QUEUE)
    }

    /// The CPU with which a packet stands in a stay: a socket's queues have one place, a backlog
    /// and a ring belong to the CPU that takes from them next.
    pub fn cpu(&self, stays: &[Stay], first: usize, at: usize) -> CpuId {
        let stay = &stays[at];
        let queue = self.queue(first + at) as usize;
        if let Some(&home) = self.home.get(queue)
            && is_of_socket(stay.station)
        {
            return home;
        }
        if !is_for_next(stay.station) {
            return stay.cpu;
        }
        let next = stay.next(at).map(|next| stays[next].cpu);
        next.filter(|cpu| cpu.is_known()).unwrap_or(stay.cpu)
    }

    fn visits(&self, journeys: &Journeys) -> Vec<Visit> {
        let mut found: BTreeMap<(Station, CpuId), [u32; 3]> = BTreeMap::new();
        // For each stay of a packet the CPU with which its piece was seen last before it: the wire
        // belongs to none.
        let mut before: Vec<CpuId> = Vec::new();
        journeys.each(|id| {
            let packet = &journeys.packets[id.at()];
            let first = packet.stays.start as usize;
            let stays = journeys.stays(id);
            before.clear();
            before.resize(stays.len(), CpuId::UNKNOWN);
            for at in 0..stays.len() {
                let cpu = self.cpu(stays, first, at);
                let counts = found.entry((stays[at].station, cpu)).or_default();
                counts[0] += 1;
                if at + 1 == stays.len() && matches!(packet.verdict, Verdict::Dropped { .. }) {
                    counts[1] += 1;
                }
                let is_both_known = cpu.is_known() && before[at].is_known();
                counts[2] += u32::from(is_both_known && before[at] != cpu);
                if let Some(next) = stays[at].next(at) {
                    before[next] = if cpu.is_known() { cpu } else { before[at] };
                }
            }
        });
        let visit = |((station, cpu), [stays, drops, crossings]): (_, [u32; 3])| Visit {
            station,
            cpu,
            stays,
            drops,
            crossings,
        };
        found.into_iter().map(visit).collect()
    }
}

/// Queues that belong to a socket wherever its packets come from.
pub(super) const fn is_of_socket(station: Station) -> bool {
    matches!(
        station,
        Station::SocketBacklog
            | Station::Prequeue
            | Station::OutOfOrder
            | Station::ReceiveQueue
            | Station::WriteQueue
    )
}

/// Stations whose packets stand with the CPU that takes them up.
const fn is_for_next(station: Station) -> bool {
    matches!(station, Station::RxRing | Station::Backlog) || is_of_socket(station)
}

fn queue_of_stays(queues: &[Queue], of_stays: &[Option<Whose>]) -> Vec<u32> {
    let index: BTreeMap<Whose, u32> = (0..)
        .zip(queues)
        .map(|(at, queue)| ((queue.kind, queue.key), at))
        .collect();
    // A stay whose queue has no name is in the only one of its kind.
    let only = |kind: QueueKind| {
        let mut of_kind = index
            .range((kind, QueueKey::None)..)
            .map_while(|(key, &at)| (key.0 == kind).then_some(at));
        let first = of_kind.next();
        first.filter(|_| of_kind.next().is_none())
    };
    of_stays
        .iter()
        .map(|key| {
            let known = key.and_then(|whose| index.get(&whose).copied().or_else(|| only(whose.0)));
            known.unwrap_or(NO_QUEUE)
        })
        .collect()
}

/// The CPU of each queue: its own, or the one that takes most packets from it (or puts most into it).
/// All queues of a socket that receive stand together.
fn homes(journeys: &Journeys, queues: &[Queue], queue_of: &[u32]) -> Vec<CpuId> {
    let mut takers: Vec<BTreeMap<CpuId, u32>> = vec![BTreeMap::new(); queues.len()];
    let mut readers: BTreeMap<AddrId, BTreeMap<CpuId, u32>> = BTreeMap::new();
    for (queue, stay, next) in stays_in_queues(journeys, queues, queue_of) {
        let of = &queues[queue];
        let taker = match of.kind {
            QueueKind::WriteQueue | QueueKind::Qdisc | QueueKind::TxRing => Some(stay.cpu),
            _ => next.map(|next| next.cpu),
        };
        let Some(taker) = taker.filter(|cpu| cpu.is_known()) else {
            continue;
        };
        *takers[queue].entry(taker).or_default() += 1;
        if let Some(sk) = receiving_socket(of) {
            *readers.entry(sk).or_default().entry(taker).or_default() += 1;
        }
    }
    queues
        .iter()
        .zip(&takers)
        .map(|(queue, own)| match queue.key {
            QueueKey::Cpu(cpu) => cpu,
            QueueKey::Socket(_) | QueueKey::Device(_) | QueueKey::None => {
                let counts = match receiving_socket(queue) {
                    Some(sk) => readers.get(&sk),
                    None => Some(own),
                };
                counts.and_then(most_often).unwrap_or(CpuId::UNKNOWN)
            }
        })
        .collect()
}

/// Every stay in a queue, with the queue's place and the stay of the same piece that follows.
fn stays_in_queues<'run>(
    journeys: &'run Journeys,
    queues: &'run [Queue],
    queue_of: &'run [u32],
) -> impl Iterator<Item = (usize, &'run Stay, Option<&'run Stay>)> {
    journeys.ids().flat_map(move |id| {
        let stays = journeys.stays(id);
        let first = journeys.packets[id.at()].stays.start as usize;
        stays.iter().enumerate().filter_map(move |(at, stay)| {
            let queue = queue_of[first + at] as usize;
            let next = stay.next(at).map(|next| &stays[next]);
            (queue < queues.len()).then_some((queue, stay, next))
        })
    })
}

/// The socket of a queue that receives.
fn receiving_socket(queue: &Queue) -> Option<AddrId> {
    match queue.key {
        QueueKey::Socket(sk) if queue.kind != QueueKind::WriteQueue => Some(sk),
        QueueKey::Socket(_) | QueueKey::Cpu(_) | QueueKey::Device(_) | QueueKey::None => None,
    }
}

/// For each queue of a socket that receives the task that takes most packets of the socket in a
/// system call; a softirq that passes them on reads nothing.
fn readers(run: &Run, journeys: &Journeys, queues: &[Queue], queue_of: &[u32]) -> Vec<Pid> {
    let mut reads: BTreeMap<AddrId, BTreeMap<Pid, u32>> = BTreeMap::new();
    for (queue, _, next) in stays_in_queues(journeys, queues, queue_of) {
        let Some(sk) = receiving_socket(&queues[queue]) else {
            continue;
        };
        let copied = next.filter(|next| next.context == Context::Kernel);
        let pid = copied.map(|next| run.pid(next.event));
        if let Some(pid) = pid.filter(|&pid| pid != Pid::UNKNOWN && pid != Pid::IDLE) {
            *reads.entry(sk).or_default().entry(pid).or_default() += 1;
        }
    }
    let reader = |queue| most_often(reads.get(&receiving_socket(queue)?)?);
    let of = |queue| reader(queue).unwrap_or(Pid::UNKNOWN);
    queues.iter().map(of).collect()
}

/// What was counted most often; of several the first.
fn most_often<T: Copy>(counts: &BTreeMap<T, u32>) -> Option<T> {
    let most = counts.values().copied().max()?;
    let mut first = counts.iter().filter(|&(_, &count)| count == most);
    first.next().map(|(&what, _)| what)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::super::tests::{after, replay_of};
    use super::*;

    /// Two datagrams come on CPU 0; one is read on CPU 1, the other finds the socket full.
    const SOCKET: &str = "
        1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 dev eth0
        2 ev __udp_enqueue_schedule_skb ts 1.000002 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000100 len 64
        3 ev netif_receive_skb ts 1.000004 cpu 0 ctx softirq pid 0 skb ffff888005000200 len 92 dev eth0
        4 ev __udp_enqueue_schedule_skb ts 1.000006 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000200 len 64
        5 ev kfree_skb ts 1.000007 cpu 0 ctx softirq pid 0 skb ffff888005000200 reason SOCKET_RCVBUFF
        7 ev softirq_exit ts 1.000009 cpu 0 ctx softirq pid 0 vec 3
        8 ev skb_consume_udp ts 1.000050 cpu 1 ctx kernel pid 534 sk ffff888007000000 skb ffff888005000100 len 64 count 64
        9 ev udp_recvmsg_ret ts 1.000051 cpu 1 ctx kernel pid 534 ret 64
    ";

    #[test]
    fn a_socket_has_one_place_with_its_reader_also_for_what_it_refuses() {
        let replay = replay_of(SOCKET);
        let places = &replay.places;
        let queue = replay
            .queues
            .iter()
            .position(|queue| queue.kind == QueueKind::ReceiveQueue)
            .expect("the socket's queue");
        assert_eq!(places.home[queue], CpuId(1));
        assert_eq!(places.reader[queue], Pid(534));
        let of = |station| {
            let of_station = places
                .visits
                .iter()
                .filter(move |visit| visit.station == station);
            of_station
                .map(|visit| (visit.cpu.0, visit.stays, visit.drops))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(Station::ReceiveQueue), [(1, 2, 1)]);
        assert_eq!(of(Station::NetCore), [(0, 2, 0)]);
        assert_eq!(of(Station::RxRing), []);
    }

    #[test]
    fn more_sockets_than_16_bits_count_have_a_queue_each() {
        const SOCKETS: u32 = 70_000;
        let mut trace = String::new();
        for socket in 0..SOCKETS {
            let _ = writeln!(
                trace,
                "1 ev __udp_enqueue_schedule_skb ts 1.{socket:06} cpu 0 ctx softirq pid 0 \
                 sk ffff8880{socket:08x} skb ffff8881{socket:08x} len 64"
            );
        }
        trace += "1 ev softirq_exit ts 1.100000 cpu 0 ctx softirq pid 0 vec 3";
        let replay = replay_of(&trace);
        assert_eq!(replay.queues.len(), SOCKETS as usize);
        let last = SOCKETS - 1;
        let (_, queue) = replay.queue_of_stay(last).expect("the last packet waits");
        assert_eq!(
            queue.key,
            QueueKey::Socket(replay.journeys.packets[last as usize].sk)
        );
        let frame = replay.at(after(&replay, 99_999), 0);
        let mut queues = frame.packets.queue;
        queues.sort_unstable();
        queues.dedup();
        assert_eq!(
            queues.len(),
            SOCKETS as usize,
            "each waits in its own queue"
        );
    }

    #[test]
    fn only_a_change_between_known_cpus_is_a_crossing() {
        let replay = replay_of(
            "1 ev ndo_start_xmit ts 1.000000 cpu 2 ctx kernel pid 9 skb ffff888006ee8900 len 1514 dev eth0
             2 ev wire_tx ts 1.000011 skb ffff888006ee8900 len 1514 dev eth0
             3 ev consume_skb ts 1.000021 cpu 2 ctx softirq pid 0 skb ffff888006ee8900
             4 ev wire_tx ts 1.000025 skb ffff888006ee8600 len 562 dev eth0",
        );
        let crossings = |visit: &Visit| (visit.station, visit.cpu, visit.crossings);
        let all: Vec<_> = replay.places.visits.iter().map(crossings).collect();
        let expected = [
            (Station::DriverSend, CpuId(2), 0),
            (Station::WireSend, CpuId::UNKNOWN, 0),
        ];
        assert_eq!(all, expected);
    }
}
