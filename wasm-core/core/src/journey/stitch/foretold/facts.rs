//! What a run tells of datagrams and reads, gathered before its journeys are put together.
//!
//! Only what is plain: a datagram that came in one piece and was queued for one socket, and the segments of one that was
//! cut here. Of fragments and of a group's clones the journeys themselves tell more.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::journey::stitch::UDP;
use crate::journey::stitch::draft::{ETH_P_IPV6, IP_HEADER_MOST, UDP_HEADER};
use crate::journey::stitch::reads::{ERRQUEUE, PEEK};
use crate::kernel::field::NET_RX;
use crate::kernel::{AddrId, Context, CpuId, Event, EventIdx, Field, Pid, Probe};
use crate::run::Run;

/// A datagram that is in its socket's queue.
#[derive(Debug)]
pub(super) struct Coming {
    /// The event at which its reader was told.
    pub ready: EventIdx,
    /// Its payload.
    pub bytes: u32,
    /// Of its flow, as the sender's socket chose it; 0 where none is known.
    pub hash: u32,
    /// The task that it woke; unknown where it woke none, or several.
    pub woke: Pid,
    /// The event by which its `sk_buff` was free, or another packet's: it was read before.
    pub gone: Option<EventIdx>,
    /// Several sockets may have it, nobody reads it, or a read as long as it may be of another.
    pub is_odd: bool,
}

/// A read of a datagram.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub at: EventIdx,
    pub cpu: CpuId,
    pub pid: Pid,
    pub sk: AddrId,
    pub bytes: u32,
}

/// Datagrams that one CPU freed in one go after they had been read on others, the one that was read last first.
#[derive(Debug)]
pub(super) struct Flush {
    pub cpu: CpuId,
    /// The CPU freed what there was at this event or later, before this time.
    pub since: Option<EventIdx>,
    pub at: EventIdx,
    /// Places in the list of datagrams.
    pub freed: Vec<usize>,
}

/// The datagrams, the reads and the flushes of a run, each in its order.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub coming: Vec<Coming>,
    pub reads: Vec<Reading>,
    pub flushes: Vec<Flush>,
    /// When a datagram's coming woke each task: it had read all that came to its sockets before it slept.
    pub wakes: BTreeMap<Pid, Vec<EventIdx>>,
    /// The socket that sends what has each hash; none where several do.
    pub senders: BTreeMap<u32, Option<AddrId>>,
}

/// What is known of an `sk_buff` that the core received.
#[derive(Debug, Clone, Copy)]
struct Received {
    skb: AddrId,
    bytes: u32,
    hash: u32,
    /// Bytes of each datagram that it holds, if it holds several.
    segment: u32,
}

/// What a CPU is in the middle of.
#[derive(Debug, Default)]
struct Hand {
    /// Received, and nothing told of it yet.
    received: VecDeque<Received>,
    /// What is left of a packet that is being cut into datagrams.
    cutting: Option<Received>,
    /// Nothing was told of what it received before: a fragment, perhaps. What passes another probe is none, as what comes out
    /// of a tunnel (`net/core/gro_cells.c: gro_cells_receive`, v6.18).
    silent: BTreeSet<AddrId>,
    /// The place of the datagram that was queued last, with the task and the context in which it was.
    queued: Option<(usize, Pid, Context)>,
    /// When it last had an opportunity to free what others have read, and when before that.
    opportunities: [Option<EventIdx>; 2],
    /// The last event of a flush.
    flushed: Option<EventIdx>,
}

/// What a device says of an `sk_buff`.
#[derive(Debug, Clone, Copy)]
struct Kind {
    /// Bytes of its IP header.
    header: u32,
    /// It comes as one of a list.
    is_list: bool,
    hash: u32,
    segment: u32,
}

impl Default for Kind {
    fn default() -> Self {
        Self {
            header: 20,
            is_list: false,
            hash: 0,
            segment: 0,
        }
    }
}

/// What is where while the facts are gathered.
#[derive(Debug, Default)]
struct Gathering {
    facts: Facts,
    hands: BTreeMap<CpuId, Hand>,
    /// The place of the datagram at each address.
    lives: BTreeMap<AddrId, usize>,
    /// What the devices that had what is at each address said of it.
    kinds: BTreeMap<AddrId, Kind>,
    /// The hash of what each task sends until its call returns.
    sends: BTreeMap<Pid, u32>,
}

/// So many events are looked back at for the one before in a flush, and so many packets are in one CPU's hands.
const LOOK: usize = 64;

impl Facts {
    /// Those of a run.
    pub fn of(run: &Run) -> Self {
        let mut gathering = Gathering::default();
        for index in run.indices() {
            gathering.take(run, index);
        }
        gathering.facts.leave_what_follows_longer();
        gathering.facts
    }

    /// A read that is as long as a datagram may be the beginning of a longer one of its sender that came before and that no
    /// read gave whole (`net/ipv4/udp.c: udp_recvmsg`, v6.18): such a datagram is not plain.
    fn leave_what_follows_longer(&mut self) {
        let of_length = |read: &Reading| (read.bytes, read.at);
        let last_of: BTreeMap<u32, EventIdx> = self.reads.iter().map(of_length).collect();
        let mut longest: BTreeMap<u32, u32> = BTreeMap::new();
        for coming in self.coming.iter_mut().filter(|coming| !coming.is_odd) {
            let longest = longest.entry(coming.hash).or_default();
            coming.is_odd = coming.bytes < *longest;
            if last_of
                .get(&coming.bytes)
                .is_none_or(|&at| at < coming.ready)
            {
                *longest = coming.bytes.max(*longest);
            }
        }
    }
}

impl Gathering {
    fn take(&mut self, run: &Run, index: EventIdx) {
        let probe = run.probe[index.at()];
        match probe {
            Probe::SockRecvLength => self.read(run, index),
            Probe::SockSendLength => self.sent(run, index),
            Probe::SkDataReady => self.ready(run, index),
            Probe::SchedWaking => self.wake(run, index),
            Probe::SoftirqEntry => {
                let hand = self.hands.entry(run.cpu[index.at()]).or_default();
                hand.let_go();
                if run.field(index, Field::Vec) == Some(NET_RX) {
                    hand.opportunities = [hand.opportunities[1], Some(index)];
                }
            }
            Probe::SoftirqExit | Probe::NapiPoll => {
                let hand = self.hands.entry(run.cpu[index.at()]).or_default();
                hand.let_go();
            }
            Probe::SkbCopyDatagramIovec | Probe::SkbCopyDatagramIter | Probe::NetDevXmit => {}
            _ => {
                let event = run.event(index);
                if event.skb.is_some() {
                    self.pass(run, index, &event);
                }
            }
        }
    }

    /// An `sk_buff` passes a probe.
    fn pass(&mut self, run: &Run, index: EventIdx, event: &Event) {
        let hand = self.hands.entry(event.cpu).or_default();
        let before = self.lives.remove(&event.skb);
        if let Some(coming) = before.and_then(|at| self.facts.coming.get_mut(at)) {
            coming.gone = Some(index);
        }
        let whole = hand.forget(event.skb);
        match event.probe {
            Probe::TcpProbe => {}
            Probe::NetifReceiveSkb => {
                let kind = self.kinds.remove(&event.skb).unwrap_or_default();
                if !kind.is_list || hand.received.len() >= LOOK {
                    hand.fall_silent();
                }
                (hand.queued, hand.cutting) = (None, None);
                hand.received.push_back(Received {
                    skb: event.skb,
                    bytes: event.len.wrapping_sub(kind.header + UDP_HEADER),
                    hash: kind.hash,
                    segment: kind.segment,
                });
            }
            Probe::ConsumeSkb | Probe::KfreeSkb => {
                let location = run.field_name(index, Field::Location).unwrap_or("");
                let is_cut = location.starts_with("udp_queue_rcv_skb")
                    || location.starts_with("udpv6_queue_rcv_skb");
                hand.cutting = whole.filter(|whole| is_cut && whole.segment > 0);
                let is_flush = location.starts_with("skb_defer_free_flush");
                if event.probe == Probe::ConsumeSkb && is_flush {
                    self.flush(run, index, event, before);
                } else if let Some(coming) = before.and_then(|at| self.facts.coming.get_mut(at)) {
                    // Unread, as its socket was closed, or by a reader that names himself.
                    coming.is_odd = true;
                }
            }
            probe => {
                let kind = self.kinds.entry(event.skb).or_default();
                if run.field(index, Field::Protocol) == Some(ETH_P_IPV6) {
                    kind.header = 40;
                } else if let Some(header) = run.field(index, Field::IpHeader) {
                    kind.header = header.min(IP_HEADER_MOST);
                }
                let hash = run.field(index, Field::Hash);
                if let Some(hash) = hash.filter(|_| event.context == Context::Kernel) {
                    self.sends.insert(event.pid, hash);
                }
                kind.hash = hash.unwrap_or(kind.hash);
                kind.segment = run.field(index, Field::GsoSize).unwrap_or(kind.segment);
                kind.is_list = matches!(
                    probe,
                    Probe::NapiGroReceiveEntry
                        | Probe::NapiGroFragsEntry
                        | Probe::NetifReceiveSkbListEntry
                );
            }
        }
    }

    /// `skb_defer_free_flush`.
    fn flush(&mut self, run: &Run, index: EventIdx, event: &Event, freed: Option<usize>) {
        let hand = self.hands.entry(event.cpu).or_default();
        let before = hand.flushed.replace(index);
        let mut between = (0..index.at()).rev().take(LOOK);
        let others = |&at: &usize| run.cpu[at] != event.cpu || run.context[at] == Context::Hardirq;
        let last = between.find(|at| !others(at));
        let goes_on = before.is_some() && last == before.map(EventIdx::at);
        let flushes = &mut self.facts.flushes;
        if !goes_on {
            flushes.push(Flush {
                cpu: event.cpu,
                since: hand.opportunities[0],
                at: index,
                freed: Vec::new(),
            });
            // It had taken what there was before it frees the first: what is read meanwhile is for the next time.
            let took = last.map_or(index, |at| EventIdx(at as u32));
            hand.opportunities = [hand.opportunities[1], Some(took)];
        }
        let mut own = flushes.iter_mut().rev().take(LOOK);
        if let Some(flush) = own.find(|flush| flush.cpu == event.cpu) {
            flush.freed.extend(freed);
        }
    }

    /// `sk_data_ready`.
    fn ready(&mut self, run: &Run, index: EventIdx) {
        let is_udp = run.field(index, Field::Proto) == Some(UDP.into());
        let hand = self.hands.entry(run.cpu[index.at()]).or_default();
        let is_silent = !std::mem::take(&mut hand.silent).is_empty();
        let Some(received) = hand.next() else {
            // The datagram that was queued last, or what was made of it, comes to another socket.
            let queued = hand.queued.take();
            if let Some(coming) = queued.and_then(|(at, ..)| self.facts.coming.get_mut(at)) {
                coming.is_odd = true;
            }
            return;
        };
        if !is_udp {
            return;
        }
        let at = self.facts.coming.len();
        self.facts.coming.push(Coming {
            ready: index,
            bytes: received.bytes,
            hash: received.hash,
            woke: Pid::UNKNOWN,
            gone: None,
            is_odd: is_silent,
        });
        hand.queued = Some((at, run.pid(index), run.context[index.at()]));
        if received.skb.is_some() {
            self.lives.insert(received.skb, at);
        }
    }

    /// `sched_waking`, right behind a datagram that was queued.
    fn wake(&mut self, run: &Run, index: EventIdx) {
        let Some(hand) = self.hands.get_mut(&run.cpu[index.at()]) else {
            return;
        };
        let Some((at, pid, context)) = hand.queued else {
            return;
        };
        let target = run.field(index, Field::TargetPid);
        if let Some(target) =
            target.filter(|_| (pid, context) == (run.pid(index), run.context[index.at()]))
        {
            let coming = &mut self.facts.coming[at];
            // Several that wait for it are several that may read it.
            coming.is_odd |= coming.woke != Pid::UNKNOWN;
            coming.woke = Pid(target);
            let wakes = self.facts.wakes.entry(Pid(target)).or_default();
            wakes.push(coming.ready);
        }
    }

    /// `sock_send_length`: a call that sent returns.
    fn sent(&mut self, run: &Run, index: EventIdx) {
        let event = run.event(index);
        let hash = self.sends.remove(&event.pid).filter(|&hash| hash != 0);
        let is_udp = run.field(index, Field::Proto) == Some(UDP.into());
        if let Some(hash) = hash.filter(|_| is_udp) {
            let of_hash = self.facts.senders.entry(hash);
            let sender = of_hash.or_insert(Some(event.sk));
            *sender = sender.filter(|&sk| sk == event.sk);
        }
    }

    /// `sock_recv_length`.
    fn read(&mut self, run: &Run, index: EventIdx) {
        let field = |field| run.field(index, field);
        let flags = field(Field::Flags).unwrap_or(0);
        let read = field(Field::Ret).and_then(|ret| u32::try_from(ret.cast_signed()).ok());
        if let Some(bytes) = read
            && field(Field::Proto) == Some(UDP.into())
            && flags & (PEEK | ERRQUEUE) == 0
        {
            let event = run.event(index);
            self.facts.reads.push(Reading {
                at: index,
                cpu: event.cpu,
                pid: event.pid,
                sk: event.sk,
                bytes,
            });
        }
    }
}

impl Hand {
    /// Nothing more comes of what was received.
    fn let_go(&mut self) {
        self.fall_silent();
        (self.queued, self.cutting) = (None, None);
    }

    /// Nothing is told of what was received.
    fn fall_silent(&mut self) {
        let received = self.received.drain(..);
        self.silent.extend(received.map(|received| received.skb));
    }

    /// Something was told of it: it is no datagram that waits.
    fn forget(&mut self, skb: AddrId) -> Option<Received> {
        self.silent.remove(&skb);
        let mut received = self.received.iter();
        let at = received.position(|received| received.skb == skb)?;
        self.received.remove(at)
    }

    /// What a reader is told of now.
    fn next(&mut self) -> Option<Received> {
        let Some(cutting) = &mut self.cutting else {
            return self.received.pop_front();
        };
        let bytes = cutting.segment.min(cutting.bytes);
        cutting.bytes -= bytes;
        let segment = Received {
            bytes,
            skb: AddrId::NONE,
            ..*cutting
        };
        self.cutting.take_if(|cutting| cutting.bytes == 0);
        Some(segment)
    }
}
