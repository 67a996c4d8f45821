//! Segments of a connection that this side has closed for sending. `tcp_probe` does not report them: the kernel calls
//! it in the established state only (`net/ipv4/tcp_input.c: tcp_rcv_state_process`, v6.18).
//!
//! Segments that arrive while a task owns the socket wait in its backlog; `sk_data_ready` reports each in the task's
//! own context (`net/core/sock.c: __release_sock`) but names neither packet nor socket. The next call that returns
//! names the socket, and the unreported segments that arrived for that socket are taken in order. No event reports
//! segments coalesced in the backlog; each is read with its own bytes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::stream::ArrivedSegment;
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Entry;
use crate::journey::stitch::packet::flow::Ends;
use crate::journey::stitch::packet::headers::TCP;
use crate::kernel::{AddrId, Event, EventIdx, Field, PacketId, Pid, Probe, Station};

/// The limit of segments that wait at a socket, and of `sk_data_ready` events in one call.
const MAX_WAITING: usize = 1024;
/// How many of a segment's latest events are searched for its arrival; after it come at most a few copies.
const SEARCH_WINDOW: usize = 64;

/// What is known of connections that close.
#[derive(Debug, Default)]
pub struct Closing {
    /// The connections that this side has closed for sending, with the local end first.
    closed: BTreeSet<Ends>,
    ends_of: BTreeMap<AddrId, Ends>,
    /// The packets that arrived for each socket and that no event has reported there yet, in order.
    unreported: BTreeMap<AddrId, VecDeque<PacketId>>,
}

impl Closing {
    /// `inet_sock_set_state`: the connection with these ends enters a state.
    pub fn change(&mut self, ends: Ends, state: Option<&str>) {
        match state {
            Some("TCP_FIN_WAIT1") => {
                self.closed.insert(ends);
            }
            Some("TCP_ESTABLISHED") => {
                self.closed.remove(&ends);
            }
            _ => {}
        }
    }

    /// `tcp_probe` reports the two ends of a socket's connection.
    pub fn know(&mut self, sk: AddrId, ends: Ends) {
        self.ends_of.insert(sk, ends);
    }

    /// A packet that may be a segment arrives for a socket.
    fn come(&mut self, sk: AddrId, packet: PacketId) {
        let unreported = self.unreported.entry(sk).or_default();
        // A packet is received twice on a bridge: by the port and by the bridge.
        if let Some(before) = unreported.iter().rposition(|&other| other == packet) {
            unreported.remove(before);
        }
        if unreported.len() == MAX_WAITING {
            unreported.pop_front();
        }
        unreported.push_back(packet);
    }

    /// An event reports a segment. TCP has processed all earlier ones; they are removed and returned.
    pub fn tell(&mut self, sk: AddrId, packet: PacketId) -> Vec<PacketId> {
        let Some(unreported) = self.unreported.get_mut(&sk) else {
            return Vec::new();
        };
        match unreported.iter().rposition(|&other| other == packet) {
            Some(at) => unreported.drain(..=at).take(at).collect(),
            None => Vec::new(),
        }
    }

    /// Whether arrivals for this socket are tracked.
    pub fn knows(&self, sk: AddrId) -> bool {
        self.unreported.contains_key(&sk)
    }

    /// The packets that arrived for a socket and that no event has reported there yet, in order.
    pub fn unreported_at(&self, sk: AddrId) -> impl Iterator<Item = PacketId> + '_ {
        self.unreported.get(&sk).into_iter().flatten().copied()
    }

    fn has(&self, sk: AddrId) -> bool {
        let ends = self.ends_of.get(&sk);
        ends.is_some_and(|ends| self.closed.contains(ends))
    }
}

impl Stitcher<'_> {
    /// A packet is received. Its hash may identify its socket.
    pub fn come_to_socket(&mut self, packet: PacketId) {
        let hash = self.table[packet].hash;
        self.tcp.coalesced.receive(packet, hash);
        if self.tcp.infers_reads()
            && let Some(sk) = self.tcp.socket_of(hash)
        {
            self.tcp.closing.come(sk, packet);
            let draft = &mut self.table[packet];
            if self.tcp.probe_naming.is_unnamed() && draft.flow.protocol == 0 {
                draft.flow.protocol = TCP;
            }
        }
    }

    /// `sk_data_ready` in a task's context: a segment from the backlog of one of the task's sockets has been queued.
    pub fn note_backlog(&mut self, index: EventIdx, event: &Event) {
        if event.in_task() {
            let readies = &mut self.tasks.of(event.pid).readies;
            if readies.len() < MAX_WAITING {
                readies.push(index);
            }
        }
    }

    /// A receive call of the task returns and names the socket: the task's `sk_data_ready` events since its last call
    /// were this socket's.
    pub fn leave_closing_backlog(&mut self, pid: Pid, sk: AddrId) {
        let task = self.tasks.of(pid);
        let readies = std::mem::take(&mut task.readies);
        let Some(&last) = readies.last() else {
            return;
        };
        if !self.tcp.closing.has(sk) {
            return;
        }
        let Some(mut unreported) = self.tcp.closing.unreported.remove(&sk) else {
            return;
        };
        let came = |packet: PacketId| {
            let entries = self.table[packet].entries.iter().rev();
            let mut events = entries.take(SEARCH_WINDOW).map(|entry| entry.event);
            events.find(|at| self.run.probe[at.at()] == Probe::NetifReceiveSkb)
        };
        let is_later = |&packet: &PacketId| came(packet) > Some(last);
        let first_later = unreported
            .iter()
            .position(is_later)
            .unwrap_or(unreported.len());
        let later = unreported.split_off(first_later);
        self.tcp.closing.unreported.insert(sk, later);
        let may_have_data = |&&packet: &&PacketId| !self.table[packet].may_be_bare_segment();
        let are_all_told = readies.len() > unreported.iter().filter(may_have_data).count();
        let mut readies = readies.into_iter().peekable();
        for packet in unreported {
            let came = self.table[packet].entries.first();
            let came = came.map(|entry| entry.event);
            while readies.peek().is_some_and(|&ready| Some(ready) < came) {
                readies.next();
            }
            let ready = readies.next();
            if self.enqueue_unreported(packet, sk, are_all_told) {
                let draft = &mut self.table[packet];
                draft.outcome.is_inferred = true;
                match ready {
                    Some(ready) => {
                        let event = self.run.event(ready);
                        self.queue(packet, ready, &event);
                    }
                    None => draft
                        .entries
                        .push(Entry::new(last, Some(Station::ReceiveQueue))),
                }
            }
        }
    }

    /// `sk_data_ready` for a segment that `tcp_probe` has not reported, as it is called in the established state
    /// only: the segment's connection is closed for sending on this side (`net/ipv4/tcp_input.c:
    /// tcp_rcv_state_process`, v6.12). The hash, known from earlier segments of the flow, gives the socket, and the
    /// IP length minus headers the payload.
    pub fn queue_unprobed(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let Some(sk) = self.tcp.socket_of(self.table[packet].hash) else {
            return;
        };
        // No task owns the socket now, so its backlog has been processed.
        let before = self.tcp.closing.tell(sk, packet);
        if self.tcp.closing.has(sk) {
            for packet in before {
                self.enqueue_unreported(packet, sk, false);
            }
        }
        let draft = &self.table[packet];
        let payload = draft.headers.tcp_payload(self.tcp.inferred(sk).header());
        let draft = &mut self.table[packet];
        if payload > 0 && draft.outcome.is_open() {
            (draft.sk, draft.payload) = (sk, payload);
            self.queue(packet, index, event);
            self.enqueue_tentative(ArrivedSegment::unreported(packet, payload), sk);
            self.tcp.inferred(sk).ready();
        }
    }

    /// Adds a segment that no event reported to its socket's stream, if it has payload. What may be options, as those
    /// of a selective acknowledgement (RFC 2018), is payload only if the socket was told of it (`is_told`). Returns
    /// whether it was added.
    fn enqueue_unreported(&mut self, packet: PacketId, sk: AddrId, is_told: bool) -> bool {
        let header = self.tcp.inferred(sk).header();
        let draft = &mut self.table[packet];
        let payload = draft.headers.tcp_payload(header);
        let is_done = draft.outcome.is_closed || draft.is_probed;
        let may_be_options = !is_told && draft.may_be_bare_segment();
        if payload == 0 || may_be_options || is_done || draft.outcome.is_dropped() {
            return false;
        }
        (draft.sk, draft.payload, draft.flow.protocol) = (sk, payload, TCP);
        self.enqueue_tentative(ArrivedSegment::unreported(packet, payload), sk);
        self.tcp.inferred(sk).ready();
        true
    }

    /// `inet_sock_set_state`, `tcp_receive_reset`: the segment being processed changes its connection's state.
    pub fn change_state(&mut self, index: EventIdx, event: &Event) {
        let is_other = |proto| proto != u32::from(TCP);
        if self.run.field(index, Field::Proto).is_some_and(is_other) {
            return;
        }
        if self.run.field_name(index, Field::Newstate) == Some("TCP_ESTABLISHED") {
            self.tcp.splices.begin(Ends::of(self.run, index));
        }
        let state = self.run.field_name(index, Field::Newstate);
        let ends = Ends::of(self.run, index);
        self.tcp.closing.change(ends, state);
        if event.probe == Probe::TcpReceiveReset
            && let Some(cookie) = self.run.field(index, Field::Cookie)
        {
            self.tcp.splices.reset(cookie);
        }
        let alone = self.cpus.at(event.cpu).receiving.alone(event);
        if let Some(packet) = alone.or_else(|| self.backlogged(index, event)) {
            let ends = Ends::of(self.run, index).turned();
            let draft = &mut self.table[packet];
            draft.flow.protocol = TCP;
            draft.take_ends(ends);
        }
    }
}
