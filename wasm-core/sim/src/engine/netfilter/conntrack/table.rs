//! The table of tracked connections: which flows have an entry, and which packet finds no room for one.
//!
//! Source: `net/netfilter/nf_conntrack_core.c: resolve_normal_ct, __nf_conntrack_alloc, early_drop,
//! __nf_conntrack_confirm, nf_ct_resolve_clash`, `nf_conntrack_proto_udp.c: nf_conntrack_udp_packet`,
//! `nf_conntrack_proto_tcp.c: tcp_new, nf_conntrack_tcp_packet` (v6.1).
//!
//! Simplified ("tracked connections"): entries of TCP do not expire, and no worker collects expired ones of UDP.

use std::collections::{BTreeMap, BTreeSet};

use crate::rng::Rng;
use crate::time::SimTime;

/// Chains that `early_drop` looks through (`NF_CT_EVICTION_RANGE`).
const EVICTION_RANGE: u32 = 8;
/// How long an entry of UDP lasts after a packet, without a reply or of a short exchange (`UDP_CT_UNREPLIED`).
const UDP_UNREPLIED: SimTime = SimTime::from_ms(30_000);
/// The same of a stream (`UDP_CT_REPLIED`).
const UDP_REPLIED: SimTime = SimTime::from_ms(120_000);
/// Age from which a flow of UDP with replies is a stream (`stream_ts`).
const UDP_STREAM: SimTime = SimTime::from_ms(2000);

/// What the table is told of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet {
    /// The number of its flow, the same in both directions.
    pub flow: u32,
    /// Whether this host sends it.
    pub is_sent: bool,
    /// What it says of the state of its flow.
    pub kind: Kind,
}

/// What a packet says of the state of its flow (`get_conntrack_index`, for TCP).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A datagram of UDP.
    Datagram,
    /// A SYN.
    Syn,
    /// A SYN that acknowledges one.
    SynAck,
    /// A FIN or a RST.
    End,
    /// Any other segment.
    Ack,
}

/// What the table has for a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// An entry of its flow.
    Known,
    /// A new entry, which counts and has to be [confirmed](Table::confirm) or [put back](Table::put_back); `scanned` chains
    /// were looked through to make room for it.
    New { scanned: u32 },
    /// No entry, as such a packet begins no connection: it goes on untracked. Room was made for one.
    Invalid { scanned: u32 },
    /// No room, in so many chains: the packet is dropped.
    Full { scanned: u32 },
}

/// What is known of a flow's protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// UDP: when it has been there for long enough to be a stream.
    Udp { stream_from: SimTime },
    /// `TCP_CONNTRACK_SYN_SENT`.
    SynSent,
    /// `TCP_CONNTRACK_SYN_RECV`.
    SynRecv,
    /// `TCP_CONNTRACK_ESTABLISHED`.
    Established,
    /// Any state behind it.
    Closing,
}

/// A tracked connection (`struct nf_conn`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    /// Whether this host sent its first packet.
    is_sent: bool,
    state: State,
    /// `IPS_SEEN_REPLY`.
    has_reply: bool,
    /// `IPS_ASSURED`: `early_drop` spares it.
    is_assured: bool,
    expires: SimTime,
}

impl Entry {
    /// An entry as its first packet leaves it, which is confirmed now.
    fn of(packet: Packet, now: SimTime) -> Self {
        let (state, expires) = match packet.kind {
            Kind::Datagram => {
                let stream_from = now + UDP_STREAM;
                (State::Udp { stream_from }, now + UDP_UNREPLIED)
            }
            Kind::Syn => (State::SynSent, SimTime::NEVER),
            // Picked up in the middle (`nf_ct_tcp_loose`).
            Kind::SynAck | Kind::End | Kind::Ack => (State::Established, SimTime::NEVER),
        };
        Self {
            is_sent: packet.is_sent,
            state,
            has_reply: false,
            is_assured: false,
            expires,
        }
    }

    /// A further packet of the flow (`nf_conntrack_handle_packet`).
    fn take(&mut self, packet: Packet, now: SimTime) {
        let is_reply = packet.is_sent != self.is_sent;
        match self.state {
            State::Udp { stream_from } => {
                let is_stream = self.has_reply && now > stream_from;
                let lasts = if is_stream {
                    UDP_REPLIED
                } else {
                    UDP_UNREPLIED
                };
                self.expires = now + lasts;
                self.is_assured |= is_stream;
            }
            old => {
                self.state = old.after(packet.kind, is_reply);
                let was_open = matches!(old, State::SynRecv | State::Established);
                self.is_assured |= self.has_reply && was_open && self.state == State::Established;
            }
        }
        self.has_reply |= is_reply;
    }
}

impl State {
    /// The state of TCP after a segment, as far as `tcp_conntracks` leads to `ESTABLISHED`; a segment that is invalid or
    /// ignored changes nothing.
    fn after(self, kind: Kind, is_reply: bool) -> Self {
        match (self, kind, is_reply) {
            (Self::SynSent, Kind::SynAck, true) => Self::SynRecv,
            (Self::SynRecv, Kind::Ack, false) => Self::Established,
            (Self::SynRecv | Self::Established, Kind::End, _) => Self::Closing,
            _ => self,
        }
    }
}

/// The connections of a host. Linux has a table for each network namespace, and a host here has one of these.
#[derive(Debug)]
pub struct Table {
    /// Most entries (`nf_conntrack_max`), and as many chains, as by default (`nf_conntrack_init_start`).
    most: u32,
    /// Entries, with those that are not confirmed yet (`cnet->count`).
    count: u32,
    /// The confirmed ones, by flow.
    entries: BTreeMap<u32, Entry>,
    /// The chains that a confirmed flow is in, one for each direction: the chain's number, then the flow's.
    chains: BTreeSet<(u32, u32)>,
}

impl Table {
    /// An empty table for so many entries.
    pub const fn new(most: u32) -> Self {
        Self {
            most,
            count: 0,
            entries: BTreeMap::new(),
            chains: BTreeSet::new(),
        }
    }

    /// Entries there may be, and how many there are, with those not confirmed yet.
    pub const fn most_and_count(&self) -> (u32, u32) {
        (self.most, self.count)
    }

    /// The chain of a flow's packets in one direction (`hash_conntrack_raw`).
    fn chain(&self, flow: u32, is_sent: bool) -> u32 {
        let tuple = (u64::from(flow) << 1) | u64::from(is_sent);
        Rng::new(tuple).below(self.most.into()) as u32
    }

    /// Looks up the entry of a packet, which learns from it, or begins one (`resolve_normal_ct`).
    pub fn look_up(&mut self, packet: Packet, now: SimTime) -> Found {
        let chain = self.chain(packet.flow, packet.is_sent);
        self.remove_of(chain, |entry| entry.expires <= now);
        if let Some(entry) = self.entries.get_mut(&packet.flow) {
            entry.take(packet, now);
            return Found::Known;
        }
        let scanned = if self.count < self.most {
            0
        } else {
            match self.early_drop(chain, now) {
                (scanned, true) => scanned,
                (scanned, false) => return Found::Full { scanned },
            }
        };
        if matches!(packet.kind, Kind::SynAck | Kind::End) {
            return Found::Invalid { scanned };
        }
        self.count += 1;
        Found::New { scanned }
    }

    /// Removes the entries that are not assured from the first chain that has any, of eight; how many chains were looked
    /// through, and whether there is room now. Entries that are not confirmed are in no chain.
    fn early_drop(&mut self, first: u32, now: SimTime) -> (u32, bool) {
        for index in 0..EVICTION_RANGE {
            let chain = (first + index) % self.most;
            self.remove_of(chain, |entry| entry.expires <= now);
            if self.remove_of(chain, |entry| !entry.is_assured) {
                return (index + 1, true);
            }
        }
        (EVICTION_RANGE, false)
    }

    /// Removes the entries of a chain for which `is_due` holds; whether there were any.
    fn remove_of(&mut self, chain: u32, is_due: impl Fn(&Entry) -> bool) -> bool {
        let flows = self.chains.range((chain, 0)..=(chain, u32::MAX));
        let due = flows.filter(|(_, flow)| self.entries.get(flow).is_some_and(&is_due));
        let due: Vec<u32> = due.map(|&(_, flow)| flow).collect();
        for &flow in &due {
            self.entries.remove(&flow);
            for is_sent in [false, true] {
                self.chains.remove(&(self.chain(flow, is_sent), flow));
            }
            self.count -= 1;
        }
        !due.is_empty()
    }

    /// The new entry of a packet joins the table (`__nf_conntrack_confirm`). If another packet's of the same flow was
    /// faster, the new one is given up, and the packet goes on only if its protocol allows that (`allow_clash`).
    pub fn confirm(&mut self, packet: Packet, now: SimTime) -> bool {
        if self.entries.contains_key(&packet.flow) {
            self.put_back();
            return packet.kind == Kind::Datagram;
        }
        self.entries.insert(packet.flow, Entry::of(packet, now));
        for is_sent in [false, true] {
            let chain = self.chain(packet.flow, is_sent);
            self.chains.insert((chain, packet.flow));
        }
        true
    }

    /// Whether a flow has a confirmed entry.
    #[cfg(test)]
    pub fn has(&self, flow: u32) -> bool {
        self.entries.contains_key(&flow)
    }

    /// A new entry goes with its packet, which was dropped before it was confirmed (`nf_conntrack_free`).
    pub const fn put_back(&mut self) {
        self.count -= 1;
    }
}
