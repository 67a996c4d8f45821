//! NICs: descriptors, the device's queue, the driver, when a chip interrupts, buses and links.
//!
//! Simplified here: one interrupt vector serves a queue's receive and transmit sides, all
//! transmit queues of a NIC are one, and a received frame takes its descriptor when it
//! arrives (chips keep it in a FIFO until the bus is free). A learner sees the same limits:
//! descriptors, bus time, frames for each interrupt.

mod buffers;
pub mod bus;
mod driver;
pub mod link;
pub mod moderation;
pub mod ring;
mod transmit;
pub mod xdp;

use crate::cache::ObjectId;
use crate::config::kernel::Checksum;
use crate::time::SimTime;

use super::ids::{NicId, QueueId};
use super::napi::Napi;
use moderation::{Interrupt, Moderation};
use ring::{RxRing, TxRing};
use xdp::Xdp;

/// Bytes of an Ethernet header: what a bus moves beside the IP packet.
const ETHERNET_HEADER: u32 = 14;

/// A network interface.
#[derive(Debug)]
pub struct Nic {
    /// Its first queue among those of the host.
    pub first_queue: QueueId,
    /// Receive queues.
    pub queues: u16,
    /// Host and NIC at the other end of the link.
    pub peer: (usize, NicId),
    /// Serialisation time of a byte in fs.
    pub byte_fs: u64,
    /// Propagation delay of the link, one way.
    pub delay: SimTime,
    /// When the wire is free.
    pub wire_free: SimTime,
    /// Its bus and which input it is there; none: no bus costs anything.
    pub bus: Option<(u8, u8)>,
    /// Its interrupt moderation.
    pub moderation: Moderation,
    /// How its driver works.
    pub driver: Driver,
    /// What it does for packets beside sending and receiving them.
    pub offloads: Offloads,
    /// Its transmit descriptors and the queue in front of them.
    pub tx: TxRing,
    /// Its XDP program and send queue.
    pub xdp: Xdp,
}

/// How a driver works.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct Driver {
    /// Whose steps it has: the entry of the machine's NICs.
    pub entry: u16,
    /// Whether it polls (NAPI).
    pub napi: bool,
    /// Packets of one poll (NAPI weight).
    pub weight: u32,
    /// Used descriptors at which it refills.
    pub refill_after: u32,
    /// Whether a tasklet refills the ring, not the poll or the handler.
    pub refill_in_tasklet: bool,
    /// Most times that one interrupt handler reads the causes, without NAPI.
    pub most_rounds: u32,
    /// Whether received data lie aligned.
    pub aligned: bool,
    /// Whether TX completion runs in the interrupt handler, though the driver polls received frames.
    pub tx_in_handler: bool,
    /// Whether it makes an `sk_buff` only of a frame that has come.
    pub builds_skb: bool,
}

/// What a device does for the packets that pass it.
#[derive(Debug, Clone, Copy)]
pub struct Offloads {
    /// Where the checksums of TCP's packets are computed.
    pub checksum: Checksum,
    /// Where those of datagrams are.
    pub udp_checksum: Checksum,
    /// Largest piece that TCP hands down in bytes (`sk_gso_max_size`).
    pub gso: u32,
}

/// A receive queue.
#[derive(Debug)]
pub struct RxQueue {
    /// Its NIC.
    pub nic: NicId,
    /// Its objects in the cache.
    pub objects: ObjectId,
    /// The CPU that serves it where interrupts do not move, within the host.
    pub cpu: u16,
    /// The CPU that its interrupt is pinned to (`/proc/irq/N/smp_affinity`), within the host.
    pub pinned: Option<u16>,
    /// Its descriptors.
    pub ring: RxRing,
    /// Its refill tasklet is scheduled.
    pub refill_waits: bool,
    /// Its interrupt.
    pub interrupt: Interrupt,
    /// Who polls it, where its driver does.
    pub napi: Napi,
}

impl RxQueue {
    /// Its interrupt goes to a CPU of the host from now on.
    pub fn pin(&mut self, cpu: u16) {
        self.cpu = cpu;
        self.pinned = Some(cpu);
    }
}

impl Nic {
    /// The queue that a flow's frames arrive at (RSS).
    pub fn queue_of_flow(&self, flow: u32) -> QueueId {
        use super::ids::Id as _;
        let spread = flow % u32::from(self.queues);
        QueueId::from_index(self.first_queue.index() + spread as usize)
    }
}
