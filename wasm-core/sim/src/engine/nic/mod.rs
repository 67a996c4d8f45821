//! NICs: descriptors, the qdisc, the driver, interrupts, buses and links.
//!
//! Simplified ("interrupts and queues of a card"): one interrupt vector serves a queue's receive and transmit sides,
//! all transmit queues of a NIC are one, and a received frame takes its descriptor when it arrives (real NICs keep it
//! in a FIFO until the bus is free). A learner sees the same limits: descriptors, bus time, frames per interrupt.

mod buffers;
pub mod bus;
pub mod byte_limit;
mod dma;
mod driver;
pub mod link;
pub mod moderation;
mod refill;
pub mod ring;
mod transmit;
pub mod xdp;

use crate::cache::ObjectId;
use crate::config::kernel::Checksum;
use crate::config::machine::RxData;
use crate::time::SimTime;

use super::ids::{NicId, QueueId};
use super::napi::Napi;
use moderation::{Interrupt, Moderation};
use ring::{RxRing, TxRing};
use xdp::Xdp;

/// Bytes of an Ethernet header, which a bus moves in addition to the IP packet.
pub const ETHERNET_HEADER: u32 = 14;

/// A network interface.
#[derive(Debug)]
pub struct Nic {
    /// Index of its first queue among those of the host.
    pub first_queue: QueueId,
    /// Number of receive queues.
    pub queues: u16,
    /// Host and NIC at the other end of the link.
    pub peer: (usize, NicId),
    /// Serialisation time of a byte, in fs.
    pub byte_fs: u64,
    /// Propagation delay of the link, one way.
    pub delay: SimTime,
    /// When the link is free to send the next frame.
    pub wire_free: SimTime,
    /// Its bus and its input there; `None`: buses cost no time.
    pub bus: Option<(u8, u8)>,
    /// Its interrupt moderation.
    pub moderation: Moderation,
    /// Parameters of its driver.
    pub driver: Driver,
    /// The checksums and segment sizes that it offloads.
    pub offloads: Offloads,
    /// Its transmit descriptors and the qdisc.
    pub tx: TxRing,
    /// Its XDP program and send queue.
    pub xdp: Xdp,
}

/// Parameters of a driver.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct Driver {
    /// The entry of the machine's NICs whose steps it executes.
    pub entry: u16,
    /// Whether it uses NAPI.
    pub napi: bool,
    /// Packets of one poll (NAPI weight).
    pub weight: u32,
    /// Number of empty descriptors at which it refills the ring.
    pub refill_after: u32,
    /// Whether a tasklet refills the ring, rather than the poll or the interrupt handler.
    pub refill_in_tasklet: bool,
    /// Maximum number of times that an interrupt handler reads the interrupt causes, without NAPI.
    pub most_rounds: u32,
    /// Whether received data are aligned (`NET_IP_ALIGN`).
    pub aligned: bool,
    /// Whether TX completion runs in the interrupt handler although received frames are polled.
    pub tx_in_handler: bool,
    /// Whether it builds the `sk_buff` only when a frame has arrived (`build_skb`).
    pub builds_skb: bool,
    /// The memory that it allocates for a received frame's data, where that is known.
    pub rx_data: Option<RxData>,
}

/// The offloads of a device.
#[derive(Debug, Clone, Copy)]
pub struct Offloads {
    /// Where TCP checksums are computed.
    pub checksum: Checksum,
    /// Where UDP checksums are computed.
    pub udp_checksum: Checksum,
    /// Largest packet that TCP hands down, in bytes (`sk_gso_max_size`).
    pub gso: u32,
}

/// A receive queue.
#[derive(Debug)]
pub struct RxQueue {
    /// The NIC that it belongs to.
    pub nic: NicId,
    /// Its first object in the memory model.
    pub objects: ObjectId,
    /// The CPU, within the host, that serves it if its interrupt has no other affinity.
    pub cpu: u16,
    /// The CPU, within the host, that its interrupt is pinned to (`/proc/irq/N/smp_affinity`).
    pub pinned: Option<u16>,
    /// Its receive ring.
    pub ring: RxRing,
    /// Whether its refill tasklet is scheduled.
    pub refill_waits: bool,
    /// The state of its interrupt.
    pub interrupt: Interrupt,
    /// Its NAPI instance.
    pub napi: Napi,
}

impl RxQueue {
    /// Pins its interrupt to a CPU of the host.
    pub fn pin(&mut self, cpu: u16) {
        self.cpu = cpu;
        self.pinned = Some(cpu);
    }
}

impl Nic {
    /// The queue to which RSS steers the frames of a flow, or of what else has this hash.
    pub fn queue_of_flow(&self, hash: u32) -> QueueId {
        use super::ids::Id as _;
        let spread = hash % u32::from(self.queues);
        QueueId::from_index(self.first_queue.index() + spread as usize)
    }
}
