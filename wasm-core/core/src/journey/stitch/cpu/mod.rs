//! What runs: for each CPU the packets that it is receiving, merging, cutting or sending, and for each task its current
//! call.
//!
//! It uses `packet` and `table`.

mod came_last;
pub mod in_tcp;
pub mod receiving;
pub mod task;
pub mod undo;

use std::collections::BTreeMap;

use crate::kernel::{Context, CpuId, Event, EventIdx, PacketId, Pid};

use came_last::CameLast;
use in_tcp::InTcp;
use receiving::Receiving;

/// What a CPU is processing.
#[derive(Debug, Default)]
pub struct Cpu {
    /// Packets in `napi_gro_receive`, the innermost last.
    pub in_gro: Vec<PacketId>,
    /// Packets that GRO said to hold, the latest last, of which some may have gone on.
    pub held: Vec<PacketId>,
    /// `ip_expire` runs: the next fragment queue to be killed has timed out.
    pub is_expiring: bool,
    /// The datagram in `ip_do_fragment`, and the event of that call.
    pub cutting: Option<(PacketId, EventIdx)>,
    /// `__tcp_transmit_skb` of a segment whose clone is about to be sent.
    pub transmitting: Option<EventIdx>,
    /// Its last event of sending.
    pub sent: Option<EventIdx>,
    /// The packet that began last here on its way down, at IP or in the device layer, and the task and context in which
    /// it did.
    pub begun: Option<(PacketId, (Pid, Context))>,
    /// The packet that entered the device layer last, or left a queue there, for software segmentation.
    pub queued: Option<PacketId>,
    /// The segments in `tcp_rcv_established`.
    pub in_tcp: InTcp,
    /// Task and context of a `tcp_send_reset` whose segment has not been sent yet, and the segment that it answers.
    pub resetting: Option<((Pid, Context), PacketId)>,
    /// The reassembled datagram that it is forwarding in fragments.
    pub resending: Option<Resending>,
    /// The packets that it is receiving, between the core and the sockets.
    pub receiving: Receiving,
}

/// A datagram that is being sent on in fragments.
#[derive(Debug, Clone, Copy)]
pub struct Resending {
    pub whole: PacketId,
    pub place: (Pid, Context),
    /// IP payload in bytes that has not been sent yet.
    pub left: u32,
}

/// What all CPUs are processing.
#[derive(Debug, Default)]
pub struct Cpus {
    seen: BTreeMap<CpuId, Cpu>,
    came_last: CameLast,
}

impl Cpus {
    /// A CPU, which is seen now.
    pub fn at(&mut self, cpu: CpuId) -> &mut Cpu {
        self.seen.entry(cpu).or_default()
    }

    /// A CPU, if it was seen before.
    pub fn get(&self, cpu: CpuId) -> Option<&Cpu> {
        self.seen.get(&cpu)
    }

    /// The packets that such a CPU is receiving.
    pub fn receiving(&self, cpu: CpuId) -> Option<&Receiving> {
        self.get(cpu).map(|cpu| &cpu.receiving)
    }

    /// The packets that each CPU is receiving, in the order of the CPUs.
    pub fn each_receiving(&self) -> impl Iterator<Item = &Receiving> {
        self.seen.values().map(|cpu| &cpu.receiving)
    }

    /// The packets of all CPUs without a later event, in the same order.
    pub fn unresolved(&self) -> impl Iterator<Item = PacketId> {
        let unresolved = self.each_receiving().flat_map(Receiving::unresolved);
        unresolved.copied()
    }

    /// The packets received last on any CPU, in order.
    pub fn came_last(&self) -> impl Iterator<Item = (CpuId, PacketId)> {
        self.came_last.iter()
    }

    /// The kernel lost events of a CPU: what it was processing is unknown now, and returned as it was before.
    pub fn lose(&mut self, cpu: CpuId) -> Option<Cpu> {
        self.seen.remove(&cpu)
    }

    /// A packet enters the protocols by the event `at`, alone or in a list. TCP has finished with its last segment
    /// before the CPU receives another packet.
    pub fn receive(
        &mut self,
        packet: PacketId,
        at: Option<EventIdx>,
        event: &Event,
        is_list: bool,
    ) {
        self.came_last.note(event.cpu, packet);
        let cpu = self.at(event.cpu);
        cpu.in_tcp.leave(event);
        let place = (event.pid, event.context);
        cpu.receiving.enter(packet, at, place, is_list);
    }
}
