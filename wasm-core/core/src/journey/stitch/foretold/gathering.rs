//! Gathers the facts of a run about datagrams and reads, in one pass over its events.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::journey::stitch::UDP;
use crate::journey::stitch::draft::{ETH_P_IPV6, IP_HEADER_MOST, UDP_HEADER};
use crate::journey::stitch::ends::frees_others;
use crate::journey::stitch::reads::{ERRQUEUE, PEEK};
use crate::kernel::field::NET_RX;
use crate::kernel::{AddrId, Context, CpuId, Event, EventIdx, Field, Pid, Probe};
use crate::run::Run;

use super::facts::{Coming, Facts, Flush, Nap, Reading};

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
    /// The event at which its task last began to run, or came back from a call on a socket.
    since: Option<EventIdx>,
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
    /// Since when each task has slept, and an event of its CPU before that.
    asleep: BTreeMap<Pid, (EventIdx, Option<EventIdx>)>,
}

/// `EAGAIN` (`include/uapi/asm-generic/errno-base.h`), as a call returns it: the queue is empty.
const EAGAIN: i32 = -11;

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
}

impl Gathering {
    fn take(&mut self, run: &Run, index: EventIdx) {
        let probe = run.probe[index.at()];
        match probe {
            Probe::SockRecvLength => self.read(run, index),
            Probe::SockSendLength => self.sent(run, index),
            Probe::SkDataReady => self.ready(run, index),
            Probe::SchedSwitch => self.switch(run, index),
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
                } else if let Some(coming) = before.and_then(|at| self.facts.coming.get_mut(at))
                    && !frees_others(location)
                {
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
            woke_several: false,
            gone: None,
            is_odd: is_silent,
            follows_longer: false,
        });
        hand.queued = Some((at, run.pid(index), run.context[index.at()]));
        if received.skb.is_some() {
            self.lives.insert(received.skb, at);
        }
    }

    /// `sched_switch`: one task stops, another goes on.
    fn switch(&mut self, run: &Run, index: EventIdx) {
        let hand = self.hands.entry(run.cpu[index.at()]).or_default();
        let since = hand.since.replace(index);
        self.asleep.insert(run.pid(index), (index, since));
        if let Some(next) = run.field(index, Field::NextPid) {
            self.asleep.remove(&Pid(next));
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
            if let Some((from, since)) = self.asleep.remove(&Pid(target)) {
                self.facts.naps.push(Nap {
                    pid: Pid(target),
                    since,
                    from,
                    to: coming.ready,
                });
            }
            if coming.woke == Pid::UNKNOWN && !coming.woke_several {
                coming.woke = Pid(target);
            } else {
                // Several wait for it (in poll(2), all are woken): any may read it.
                (coming.woke, coming.woke_several) = (Pid::UNKNOWN, true);
            }
        }
    }

    /// `sock_send_length`: a call that sent returns.
    fn sent(&mut self, run: &Run, index: EventIdx) {
        let event = run.event(index);
        self.hands.entry(event.cpu).or_default().since = Some(index);
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
        let event = run.event(index);
        let hand = self.hands.entry(event.cpu).or_default();
        let since = hand.since.replace(index);
        let field = |field| run.field(index, field);
        let flags = field(Field::Flags).unwrap_or(0);
        let returned = field(Field::Ret).map(u32::cast_signed);
        if field(Field::Proto) != Some(UDP.into()) || flags & ERRQUEUE != 0 {
            return;
        }
        if returned == Some(EAGAIN) {
            let empty = self.facts.empty.entry(event.sk).or_default();
            empty.extend(since.map(|since| (since, index)));
        } else if let Some(bytes) = returned.and_then(|returned| u32::try_from(returned).ok())
            && flags & PEEK == 0
        {
            self.facts.reads.push(Reading {
                at: index,
                since,
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
