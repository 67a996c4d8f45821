//! Segments of a connection that this side has closed for sending: `tcp_probe`, which sits in the established state alone,
//! does not tell of them (`net/ipv4/tcp_input.c: tcp_rcv_state_process`, v6.18).
//!
//! What came while a task owned the socket waits in its backlog, and the task is told of each in its own context (`net/core/sock.c:
//! __release_sock`). That names neither packet nor socket: the call that returns next names the socket, and what has come
//! to it and was not told of yet is in order. Whether some were joined in the backlog no event says; each is read with its bytes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Stitcher;
use super::draft::{Ends, Entry};
use super::stream::Heard;
use crate::kernel::{AddrId, Context, Event, EventIdx, PacketId, Pid, Probe, Station, Verdict};

/// More segments than wait at a socket, and more than one call is told of.
const MANY: usize = 1024;
/// So many of a segment's last events are looked at: it has come, and was copied from at most a few times.
const LATEST: usize = 64;

/// What is known of connections that close.
#[derive(Debug, Default)]
pub(super) struct Closing {
    /// The ends of those that this side has closed for sending, as their own socket has them.
    closed: BTreeSet<Ends>,
    ends_of: BTreeMap<AddrId, Ends>,
    /// What came to each socket and was not told of yet, in order.
    untold: BTreeMap<AddrId, VecDeque<PacketId>>,
}

impl Closing {
    /// `inet_sock_set_state`: a connection is in another state.
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

    /// `tcp_probe` tells a socket's ends.
    pub fn know(&mut self, sk: AddrId, ends: Ends) {
        self.ends_of.insert(sk, ends);
    }

    /// A packet that may be a segment has come to a socket.
    fn come(&mut self, sk: AddrId, packet: PacketId) {
        let untold = self.untold.entry(sk).or_default();
        // A bridge's port receives it before the bridge does.
        if let Some(before) = untold.iter().rposition(|&other| other == packet) {
            untold.remove(before);
        }
        if untold.len() == MANY {
            untold.pop_front();
        }
        untold.push_back(packet);
    }

    /// A segment was told of: TCP is done with what came before it, which this gives.
    pub fn tell(&mut self, sk: AddrId, packet: PacketId) -> Vec<PacketId> {
        let Some(untold) = self.untold.get_mut(&sk) else {
            return Vec::new();
        };
        match untold.iter().rposition(|&other| other == packet) {
            Some(at) => untold.drain(..=at).take(at).collect(),
            None => Vec::new(),
        }
    }

    /// Whether it is known what comes to a socket.
    pub fn knows(&self, sk: AddrId) -> bool {
        self.untold.contains_key(&sk)
    }

    /// What came to a socket and was not told of yet, in order.
    pub fn untold_at(&self, sk: AddrId) -> impl Iterator<Item = PacketId> + '_ {
        self.untold.get(&sk).into_iter().flatten().copied()
    }

    fn has(&self, sk: AddrId) -> bool {
        let ends = self.ends_of.get(&sk);
        ends.is_some_and(|ends| self.closed.contains(ends))
    }
}

impl Stitcher<'_> {
    /// A packet is received for a socket that is known by its hash.
    pub(super) fn come_to_socket(&mut self, packet: PacketId) {
        let hash = self.drafts[packet.at()].hash;
        if let Some(sk) = self.reads.socket_of(hash) {
            self.reads.closing.come(sk, packet);
            let draft = &mut self.drafts[packet.at()];
            if self.reads.telling.is_unnamed() && draft.protocol == 0 {
                draft.protocol = super::TCP;
            }
        }
    }

    /// The task is told that something has come to one of its sockets, out of its backlog.
    pub(super) fn note_backlog(&mut self, index: EventIdx, event: &Event) {
        if event.context == Context::Kernel && event.pid != Pid::IDLE {
            let readies = &mut self.tasks.entry(event.pid).or_default().readies;
            if readies.len() < MANY {
                readies.push(index);
            }
        }
    }

    /// A call of the task's that read the socket is done: what the task was told of since the call before has come to it.
    pub(super) fn leave_closing_backlog(&mut self, pid: Pid, sk: AddrId) {
        let task = self.tasks.entry(pid).or_default();
        let readies = std::mem::take(&mut task.readies);
        let Some(&last) = readies.last() else {
            return;
        };
        if !self.reads.closing.has(sk) {
            return;
        }
        let Some(mut untold) = self.reads.closing.untold.remove(&sk) else {
            return;
        };
        let came = |packet: PacketId| {
            let entries = self.drafts[packet.at()].entries.iter().rev();
            let mut events = entries.take(LATEST).map(|entry| entry.event);
            events.find(|at| self.run.probe[at.at()] == Probe::NetifReceiveSkb)
        };
        let is_later = |&packet: &PacketId| came(packet) > Some(last);
        let first_later = untold.iter().position(is_later).unwrap_or(untold.len());
        let later = untold.split_off(first_later);
        self.reads.closing.untold.insert(sk, later);
        let mut readies = readies.into_iter().peekable();
        for packet in untold {
            let came = self.drafts[packet.at()].entries.first();
            let came = came.map(|entry| entry.event);
            while readies.peek().is_some_and(|&ready| Some(ready) < came) {
                readies.next();
            }
            let ready = readies.next();
            if self.hear_untold(packet, sk) {
                let draft = &mut self.drafts[packet.at()];
                draft.is_inferred = true;
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

    /// The reader is told of a segment that `tcp_probe`, which sits in the established state alone,
    /// has not told: of a connection that this side has closed for sending (`net/ipv4/tcp_input.c:
    /// tcp_rcv_state_process`, v6.12). Whose it is its flow's earlier segments tell, and its payload
    /// what is not headers.
    pub(super) fn queue_unprobed(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let Some(sk) = self.reads.socket_of(self.drafts[packet.at()].hash) else {
            return;
        };
        // The task does not own the socket now, so it is done with the backlog.
        let before = self.reads.closing.tell(sk, packet);
        if self.reads.closing.has(sk) {
            for packet in before {
                self.hear_untold(packet, sk);
            }
        }
        let draft = &self.drafts[packet.at()];
        let (at_ip, ip_header) = (draft.network_bytes, draft.ip_header());
        let headers = ip_header + self.reads.stream(sk).header();
        let payload = at_ip.saturating_sub(headers);
        let draft = &mut self.drafts[packet.at()];
        if payload > 0 && !draft.is_closed && draft.verdict == Verdict::Open {
            (draft.sk, draft.payload) = (sk, payload);
            self.queue(packet, index, event);
            self.hear(Heard::untold(packet, payload), sk);
            self.reads.stream(sk).ready();
        }
    }

    /// A segment that was not told of is in its socket's stream, if it has payload. Whether it was.
    fn hear_untold(&mut self, packet: PacketId, sk: AddrId) -> bool {
        let header = self.reads.stream(sk).header();
        let draft = &mut self.drafts[packet.at()];
        let payload = draft
            .network_bytes
            .saturating_sub(draft.ip_header() + header);
        let is_done = draft.is_closed || draft.is_probed;
        if payload == 0 || is_done || matches!(draft.verdict, Verdict::Dropped { .. }) {
            return false;
        }
        (draft.sk, draft.payload, draft.protocol) = (sk, payload, super::TCP);
        self.hear(Heard::untold(packet, payload), sk);
        self.reads.stream(sk).ready();
        true
    }
}
