//! What runs: for each CPU the packets that it is receiving, merging, cutting or sending, and for each task its current
//! call.
//!
//! It uses `packet` and `table`.

pub mod came_last;
pub mod in_tcp;
pub mod receiving;
pub mod task;
pub mod undo;

use super::Stitcher;
use crate::kernel::{Context, CpuId, EventIdx, PacketId, Pid};

use in_tcp::InTcp;
use receiving::Receiving;

/// What a CPU is processing.
#[derive(Debug, Default)]
pub struct Cpu {
    /// Packets in `napi_gro_receive`, the innermost last.
    pub in_gro: Vec<PacketId>,
    /// `ip_expire` runs: the next fragment queue to be killed has timed out.
    pub is_expiring: bool,
    /// The datagram in `ip_do_fragment`, and the event of that call.
    pub cutting: Option<(PacketId, EventIdx)>,
    /// `__tcp_transmit_skb` of a segment whose clone is about to be sent.
    pub transmitting: Option<EventIdx>,
    /// Its last event of sending.
    pub sent: Option<EventIdx>,
    /// The packet that entered the device layer last, for software segmentation.
    pub queued: Option<PacketId>,
    /// The segments in `tcp_rcv_established`.
    pub in_tcp: InTcp,
    /// Task and context of a `tcp_send_reset` whose segment has not been sent yet.
    pub resetting: Option<(Pid, Context)>,
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

impl Stitcher<'_> {
    /// What a CPU is processing.
    pub fn cpu(&mut self, cpu: CpuId) -> &mut Cpu {
        self.cpus.entry(cpu).or_default()
    }
}
