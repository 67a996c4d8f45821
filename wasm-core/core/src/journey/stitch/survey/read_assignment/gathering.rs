//! Collects the facts of a run about datagrams and reads in one pass over its events.

use std::collections::BTreeMap;

use super::facts::{Facts, Flush, QueuedDatagram, RecvCall, SleepInterval};
use super::rx_state::{CpuRxState, Kind, Received};
use crate::journey::stitch::packet::datagram::SocketFamily;
use crate::journey::stitch::packet::headers::{
    ETH_P_IPV6, FRAGMENT_HEADER, IP_HEADER, IP_HEADER_MOST, IPV6_HEADER, IPV6_HEADER_MOST,
    UDP_HEADER, VLAN_TAG, is_udp, is_vlan_tag,
};
use crate::journey::stitch::packet::location::{
    freeing_function, frees_others, is_of_other_reader, is_of_reader, segments_datagram,
};
use crate::journey::stitch::packet::uapi::{AF_PACKET, DONTWAIT, EAGAIN, ERRQUEUE, PEEK};
use crate::journey::stitch::survey::interleaved::Interleaved;
use crate::kernel::field::NET_RX;
use crate::kernel::{AddrId, Context, CpuId, Event, EventIdx, Field, Pid, Probe};
use crate::run::Run;

/// The state of CPUs, addresses and tasks during the pass.
#[derive(Debug, Default)]
struct Gathering {
    facts: Facts,
    rx_states: BTreeMap<CpuId, CpuRxState>,
    /// The index of the queued datagram at each address.
    lives: BTreeMap<AddrId, usize>,
    /// What device events reported of the packet at each address.
    kinds: BTreeMap<AddrId, Kind>,
    /// The hash of what each task is sending, until its call returns.
    sends: BTreeMap<Pid, u32>,
    /// The index of the datagram that each task copied from, or freed in person, until its call returns.
    copied: BTreeMap<Pid, usize>,
    /// The event since which each task has slept, and an earlier event on its CPU.
    asleep: BTreeMap<Pid, (EventIdx, Option<EventIdx>)>,
    /// What tells the fragments of two datagrams apart.
    interleaved: Interleaved,
}

/// How many events back the previous free of a flush is searched for, and among how many flushes.
const SEARCH_WINDOW: usize = 64;

impl Facts {
    /// Collects the facts of a run.
    pub fn of(run: &Run) -> Self {
        let mut gathering = Gathering::default();
        if !run.indices().any(|index| is_of_udp(run, index)) {
            return gathering.facts;
        }
        gathering.interleaved = Interleaved::of(run);
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
                let rx = self.rx_states.entry(run.cpu[index.at()]).or_default();
                rx.let_go();
                if run.field(index, Field::Vec) == Some(NET_RX) {
                    rx.opportunities = [rx.opportunities[1], Some(index)];
                }
            }
            Probe::SoftirqExit | Probe::NapiPoll => {
                let rx = self.rx_states.entry(run.cpu[index.at()]).or_default();
                rx.let_go();
            }
            Probe::SkbCopyDatagramIovec => {
                let event = run.event(index);
                if let Some(&at) = self.lives.get(&event.skb) {
                    self.copied.insert(event.pid, at);
                }
            }
            Probe::SkbCopyDatagramIter | Probe::NetDevXmit => {}
            _ => {
                let event = run.event(index);
                if event.skb.is_some() {
                    self.pass(run, index, &event);
                }
            }
        }
    }

    /// A probe with an `sk_buff`.
    fn pass(&mut self, run: &Run, index: EventIdx, event: &Event) {
        let rx = self.rx_states.entry(event.cpu).or_default();
        let before = self.lives.remove(&event.skb);
        if let Some(datagram) = before.and_then(|at| self.facts.datagrams.get_mut(at)) {
            datagram.gone = Some(index);
        }
        let is_first = event.probe == Probe::ConsumeSkb && is_first_fragment(run, index);
        let is_in_hand = rx.has_in_hand(event.skb);
        let whole = if is_first {
            let interleaved = &self.interleaved;
            rx.reassemble(event.skb, interleaved, |others, parts| {
                interleaved.own(run, index, others, parts)
            })
        } else {
            rx.forget(event.skb)
        };
        match event.probe {
            Probe::TcpProbe => {}
            Probe::NetifReceiveSkb => {
                let kind = self.kinds.remove(&event.skb).unwrap_or_default();
                let received = Received {
                    skb: event.skb,
                    at: index,
                    bytes: event.len.wrapping_sub(kind.header + UDP_HEADER),
                    hash: kind.hash,
                    segment: kind.segment,
                    is_v6: kind.is_v6,
                    // A header that is told with its extensions has it, too.
                    fragment_header: match kind.header {
                        IPV6_HEADER if kind.is_v6 => FRAGMENT_HEADER,
                        _ => 0,
                    },
                    sender: kind.sender,
                };
                rx.enter(received, kind.is_list);
            }
            Probe::ConsumeSkb | Probe::KfreeSkb => {
                self.kinds.remove(&event.skb);
                let function = freeing_function(run, index).unwrap_or("");
                let is_cut = segments_datagram(function);
                rx.cutting = whole.filter(|whole| is_cut && whole.segment > 0);
                if rx.cutting.is_some() {
                    rx.queued = None;
                }
                let is_flush = function == "skb_defer_free_flush";
                if event.probe == Probe::ConsumeSkb && is_flush {
                    self.flush(run, index, event, before);
                } else if let Some(datagram) =
                    before.and_then(|at| self.facts.datagrams.get_mut(at))
                    && !frees_others(function)
                    && !is_of_other_reader(function)
                    && function != "skb_release_data"
                {
                    // The datagram was unread when its socket was closed, or its reader frees it in person. An
                    // `sk_buff` freed with a fragment list's head, or by another kind of reader, was never in a
                    // datagram socket's queue; it merely has the address of a datagram that was read.
                    datagram.is_odd = true;
                    if event.in_task() && is_of_reader(function) {
                        self.copied.extend(before.map(|at| (event.pid, at)));
                    }
                }
            }
            probe => {
                let is_by_task = event.in_task();
                // Not what the address was given to before a task sent another packet at it.
                let passed_on = whole.filter(|_| is_in_hand || !is_by_task);
                let sender = passed_on.map(|whole| whole.sender);
                let kind = self.kinds.entry(event.skb).or_insert_with(|| Kind {
                    sender: sender.unwrap_or(if is_by_task { event.pid } else { Pid::UNKNOWN }),
                    ..Kind::default()
                });
                let ethertype = run.field(index, Field::Protocol);
                if ethertype == Some(ETH_P_IPV6) {
                    let told = run.field(index, Field::IpHeader);
                    let told = told.map(|header| header.min(IPV6_HEADER_MOST));
                    // Of what the driver has sent, a device that receives it tells no length.
                    let is_known = kind.is_v6 && probe != Probe::NetDevStartXmit;
                    let before = if is_known { kind.header } else { IPV6_HEADER };
                    (kind.header, kind.is_v6) = (told.unwrap_or(before), true);
                } else if ethertype.is_some_and(is_vlan_tag) {
                    kind.header = VLAN_TAG + IP_HEADER;
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
        let rx = self.rx_states.entry(event.cpu).or_default();
        let before = rx.flushed.replace(index);
        let mut between = (0..index.at()).rev().take(SEARCH_WINDOW);
        let others = |&at: &usize| run.cpu[at] != event.cpu || run.context[at] == Context::Hardirq;
        let last = between.find(|at| !others(at));
        let is_softirq_running = before.is_some() && last == before.map(EventIdx::at);
        let flushes = &mut self.facts.flushes;
        if !is_softirq_running {
            flushes.push(Flush {
                cpu: event.cpu,
                since: rx.opportunities[0],
                at: index,
                freed: Vec::new(),
            });
            // A flush takes the whole list before it frees the first entry; reads in the meantime belong to the next
            // flush.
            let took = last.map_or(index, |at| EventIdx(at as u32));
            rx.opportunities = [rx.opportunities[1], Some(took)];
        }
        let mut own = flushes.iter_mut().rev().take(SEARCH_WINDOW);
        if let Some(flush) = own.find(|flush| flush.cpu == event.cpu) {
            flush.freed.extend(freed);
        }
    }

    /// `sk_data_ready`.
    fn ready(&mut self, run: &Run, index: EventIdx) {
        if run.field(index, Field::Family) == Some(AF_PACKET) {
            self.share(run, index);
            return;
        }
        let is_udp = is_udp(run.field(index, Field::Proto));
        let rx = self.rx_states.entry(run.cpu[index.at()]).or_default();
        let has_newly_unresolved = std::mem::take(&mut rx.has_newly_unresolved);
        let mut fragments = rx.fragments.take();
        let Some(mut received) = rx.next() else {
            // The datagram that was queued last, or a segment of it, goes to a further socket.
            let queued = rx.queued.take();
            if let Some(datagram) = queued.and_then(|(at, ..)| self.facts.datagrams.get_mut(at)) {
                (datagram.is_odd, datagram.has_clones) = (true, true);
                self.facts.unaddressed.push(index);
            }
            return;
        };
        if !is_udp {
            return;
        }
        if !received.skb.is_some() {
            self.facts.unaddressed.push(index);
        }
        // The first fragment's `sk_buff` is not freed if it came last.
        if fragments.is_none() {
            rx.gather(None, received, &self.interleaved);
            fragments = rx.fragments.take();
        }
        if fragments.is_none() && received.is_long() && !self.interleaved.is_read(received.bytes) {
            rx.reorder(None, received, &self.interleaved);
            fragments = rx.fragments.take();
        }
        if let Some(fragments) = fragments {
            received.bytes = fragments.wrapping_add(received.datagram_end());
        }
        let is_segment = !received.skb.is_some();
        let before = rx.queued.filter(|_| is_segment);
        let cut_after = before.map(|(before, ..)| before);
        let at = self.facts.datagrams.len();
        self.facts.datagrams.push(QueuedDatagram {
            ready: index,
            bytes: received.bytes,
            family: SocketFamily::of(run, index),
            hash: received.hash,
            woke: Pid::UNKNOWN,
            woke_several: false,
            gone: None,
            is_odd: has_newly_unresolved && fragments.is_none() && rx.may_complete(received),
            has_clones: false,
            is_reassembled: fragments.is_some(),
            cut_after,
            follows_longer: false,
        });
        rx.queued = Some((at, received.skb, run.pid(index), run.context[index.at()]));
        if received.skb.is_some() {
            self.lives.insert(received.skb, at);
        }
    }

    /// A packet socket gets a clone of the packet being received. If the packet is already in a socket's queue, the
    /// packet socket has the original `sk_buff`, and later events at that address belong to the packet socket
    /// (`socket::other::packet_socket`).
    fn share(&mut self, run: &Run, index: EventIdx) {
        self.facts.unaddressed.push(index);
        let rx = self.rx_states.entry(run.cpu[index.at()]).or_default();
        if let Some((at, skb, ..)) = rx.queued
            && self.lives.get(&skb) == Some(&at)
        {
            self.lives.remove(&skb);
        }
    }

    /// `sched_switch`: one task is descheduled, another runs.
    fn switch(&mut self, run: &Run, index: EventIdx) {
        let rx = self.rx_states.entry(run.cpu[index.at()]).or_default();
        let since = rx.since.replace(index);
        self.asleep.insert(run.pid(index), (index, since));
        if let Some(next) = run.field(index, Field::NextPid) {
            self.asleep.remove(&Pid(next));
        }
    }

    /// `sched_waking`, directly after a datagram was queued.
    fn wake(&mut self, run: &Run, index: EventIdx) {
        let Some(rx) = self.rx_states.get_mut(&run.cpu[index.at()]) else {
            return;
        };
        let Some((at, _, pid, context)) = rx.queued else {
            return;
        };
        let target = run.field(index, Field::TargetPid);
        if let Some(target) =
            target.filter(|_| (pid, context) == (run.pid(index), run.context[index.at()]))
        {
            let datagram = &mut self.facts.datagrams[at];
            if let Some((from, since)) = self.asleep.remove(&Pid(target)) {
                self.facts.sleeps.push(SleepInterval {
                    pid: Pid(target),
                    since,
                    from,
                    to: datagram.ready,
                });
            }
            if datagram.woke == Pid::UNKNOWN && !datagram.woke_several {
                datagram.woke = Pid(target);
            } else {
                // Several tasks wait for it (poll(2) wakes all of them); any of them may read it.
                (datagram.woke, datagram.woke_several) = (Pid::UNKNOWN, true);
            }
        }
    }

    /// `sock_send_length`: a send call returns.
    fn sent(&mut self, run: &Run, index: EventIdx) {
        let event = run.event(index);
        self.rx_states.entry(event.cpu).or_default().since = Some(index);
        let hash = self.sends.remove(&event.pid).filter(|&hash| hash != 0);
        let is_udp = is_udp(run.field(index, Field::Proto));
        if let Some(hash) = hash.filter(|_| is_udp) {
            let of_hash = self.facts.senders.entry(hash);
            let sender = of_hash.or_insert(Some(event.sk));
            *sender = sender.filter(|&sk| sk == event.sk);
        }
    }

    /// `sock_recv_length`.
    fn read(&mut self, run: &Run, index: EventIdx) {
        let event = run.event(index);
        let rx = self.rx_states.entry(event.cpu).or_default();
        let since = rx.since.replace(index);
        let field = |field| run.field(index, field);
        let flags = field(Field::Flags).unwrap_or(0);
        let returned = field(Field::Ret).map(u32::cast_signed);
        let copied = self.copied.remove(&event.pid);
        if !is_udp(field(Field::Proto)) || flags & ERRQUEUE != 0 {
            return;
        }
        if returned == Some(EAGAIN) {
            let empty = self.facts.empty.entry(event.sk).or_default();
            empty.extend(since.map(|since| (since, index)));
        } else if let Some(bytes) = returned.and_then(|returned| u32::try_from(returned).ok())
            && flags & PEEK == 0
        {
            let is_whole = |&at: &usize| self.facts.datagrams[at].bytes == bytes;
            let named = copied.filter(is_whole);
            self.facts
                .named
                .extend(named.map(|at| (at, self.facts.reads.len())));
            self.facts.reads.push(RecvCall {
                at: index,
                since,
                cpu: event.cpu,
                pid: event.pid,
                sk: event.sk,
                family: SocketFamily::of(run, index),
                bytes,
                is_nonblocking: flags & DONTWAIT != 0,
            });
        }
    }
}

/// Whether an event concerns a UDP socket that received, read or sent. A run without such events yields no facts.
fn is_of_udp(run: &Run, index: EventIdx) -> bool {
    let tells = matches!(
        run.probe[index.at()],
        Probe::SkDataReady | Probe::SockRecvLength | Probe::SockSendLength
    );
    tells && is_udp(run.field(index, Field::Proto))
}

/// `inet_frag_reasm_prepare` frees the `sk_buff` of a datagram's first fragment (v6.18).
fn is_first_fragment(run: &Run, index: EventIdx) -> bool {
    freeing_function(run, index) == Some("inet_frag_reasm_prepare")
}
