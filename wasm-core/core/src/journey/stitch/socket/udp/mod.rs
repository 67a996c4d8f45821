//! Datagram sockets. With tracepoints only, `sk_data_ready` names no socket and `sock_recv_length` no packet: what
//! waits, and which read takes it, is inferred here.

mod clones;
mod datagrams;
mod heads;
mod known;
mod producers;
mod queue;
mod read_assignment;
mod segments;
mod unread;

use crate::journey::stitch::packet::datagram::{Datagram, Doubt, SocketFamily};
use crate::journey::stitch::survey::homes::homes;
use crate::journey::stitch::table::Table;
use crate::kernel::{AddrId, EventIdx, PacketId, Pid, Probe, Probes};
use crate::run::Run;

use datagrams::Datagrams;
use heads::Heads;
use known::{Known, Read};
use read_assignment::ReadAssignment;
use unread::Unread;

/// The limit of packets with unknown addresses, above what a socket's receive buffer holds.
const MAX_UNADDRESSED: usize = 1024;

/// The datagram sockets of a run.
#[derive(Debug)]
pub struct Udp {
    datagrams: Datagrams,
    unread: Unread,
    assignment: ReadAssignment,
    /// No probe observes the receive queue.
    infers_reads: bool,
    /// Packets in a receive queue whose address is unknown: datagrams segmented here, and clones.
    unaddressed: Vec<PacketId>,
    /// Some packet in a receive queue has had an unknown address.
    has_unaddressed: bool,
}

impl Udp {
    /// No sockets yet; `passed` are the probes that the recording contains.
    pub fn of(run: &Run, passed: &Probes) -> Self {
        let infers_reads = !passed.has(Probe::UdpEnqueueScheduleSkb);
        let are_all_told = !passed.has(Probe::LostEvents);
        // With lost events, reads may be lost too.
        let assignment = if infers_reads && are_all_told {
            ReadAssignment::of(run)
        } else {
            ReadAssignment::default()
        };
        let heads = Heads::of(assignment.only_truncating.clone());
        Self {
            datagrams: Datagrams::new(are_all_told, homes(run), &assignment.spread, heads),
            unread: Unread::of(run),
            assignment,
            infers_reads,
            unaddressed: Vec::new(),
            has_unaddressed: false,
        }
    }

    /// Whether it is inferred which datagram a read takes: no probe observes the receive queue.
    pub const fn infers_reads(&self) -> bool {
        self.infers_reads
    }

    /// The datagram in a socket's queue that a task's read of `bytes` bytes at this event took, if one fits.
    pub fn read(
        &mut self,
        index: EventIdx,
        (sk, bytes, reader): (AddrId, u32, Pid),
        table: &Table<'_>,
        run: &Run,
    ) -> Option<Datagram> {
        let read = Read {
            sk,
            family: SocketFamily::of(run, index),
            bytes,
            reader,
            known: &Known { table, run },
        };
        if self.assignment.is_ambiguous(index) {
            self.datagrams.heads.note(sk);
            return None;
        }
        if self.assignment.is_of_unrecorded(index) {
            return None;
        }
        let assigned = self.assignment.read(index);
        if let Some(datagram) = assigned
            && datagram.doubt < Doubt::Socket
        {
            self.datagrams.bind(datagram.hash, sk);
            self.datagrams.heads.note(sk);
        }
        self.datagrams.forget(read);
        let found = assigned.or_else(|| {
            let found = self.datagrams.read(read)?;
            let doubt = found.doubt.max(self.assignment.doubt_of(index));
            let is_any = table[found.packet].queues.is_one_of_held;
            let of_any = is_any.then(|| self.datagrams.doubt_of_any(bytes));
            let doubt = doubt.max(of_any.unwrap_or_default());
            Some(Datagram { doubt, ..found })
        });
        found.or_else(|| {
            let assignment = &self.assignment;
            let may_be_another = |freed| assignment.may_come_between(index, freed);
            self.unread.read(read, may_be_another)
        })
    }

    /// A read of the socket named its packet: one of this hash, or, with `cloned_at`, the socket's clone of one.
    pub fn note_read(&mut self, sk: AddrId, hash: u32, cloned_at: Option<EventIdx>) {
        self.datagrams.heads.note(sk);
        match cloned_at {
            Some(cloned_at) => self.datagrams.clones.note_read(sk, cloned_at),
            None => self.datagrams.bind(hash, sk),
        }
    }

    /// A read found the socket's queue empty.
    pub fn found_empty(&mut self, sk: AddrId) {
        self.datagrams.heads.note(sk);
    }

    /// Events were lost.
    pub fn lose(&mut self, index: EventIdx) {
        self.datagrams.heads.lose(index);
    }

    /// A packet with an unknown address is in a socket's queue.
    fn wait_unaddressed(&mut self, packet: PacketId) {
        self.has_unaddressed = true;
        let surplus = (self.unaddressed.len() + 1).saturating_sub(MAX_UNADDRESSED);
        self.unaddressed.drain(..surplus);
        self.unaddressed.push(packet);
    }

    /// A packet will have an unknown address when it is in a socket's queue.
    pub const fn expect_unaddressed(&mut self) {
        self.has_unaddressed = true;
    }

    /// Whether some packet in a receive queue has had an unknown address.
    pub const fn has_unaddressed(&self) -> bool {
        self.has_unaddressed
    }

    /// The packets in a receive queue with an unknown address for which `waits` still holds.
    pub fn unaddressed(&mut self, waits: impl Fn(&PacketId) -> bool) -> &[PacketId] {
        self.unaddressed.retain(waits);
        &self.unaddressed
    }
}
