//! A NIC and what its driver's code costs.

use serde::Deserialize;

use crate::config::kernel::Step;
use crate::config::path::Path;

/// A network interface and its driver.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says whether the chip can do something"
)]
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Nic {
    /// Chip.
    pub model: String,
    /// How many of them, eth0 and up.
    #[serde(default = "super::one")]
    pub count: u16,
    /// Line rate in Mbit/s.
    pub rate_mbit: u64,
    /// Receive descriptors of a queue.
    pub rx_ring: u32,
    /// Transmit descriptors of a queue.
    pub tx_ring: u32,
    /// Longest time that a frame waits for its interrupt, in ns.
    #[serde(default)]
    pub interrupt_delay_ns: u64,
    /// Frames after which the interrupt comes at once; 0: no such limit.
    #[serde(default)]
    pub interrupt_frames: u32,
    /// Whether every frame starts the delay anew, so that a burst has one interrupt.
    #[serde(default)]
    pub delay_restarts: bool,
    /// Sent frames after which the chip interrupts; 0: sent frames wait for another interrupt.
    #[serde(default)]
    pub tx_interrupt_frames: u32,
    /// Longest time that this interrupt waits, in ns.
    #[serde(default)]
    pub tx_interrupt_delay_ns: u64,
    /// Whether the interrupt handler itself takes back what was sent, even while the driver polls
    /// for what was received: then every sent frame interrupts (8139cp, 8139too).
    #[serde(default)]
    pub tx_in_handler: bool,
    /// Whether the driver takes back the interrupt of the frame before when it queues another
    /// (`tx_interrupt_mitigation` of 3c59x), so that only the last one queued makes one.
    #[serde(default)]
    pub tx_interrupt_last: bool,
    /// Receive queues (RSS).
    #[serde(default = "super::one")]
    pub queues: u16,
    /// The bus of each NIC in order; the last one serves the rest; empty: no bus costs.
    #[serde(default)]
    pub buses: Vec<String>,
    /// Whether it checks and writes TCP and UDP checksums.
    #[serde(default)]
    pub checksum: bool,
    /// Largest piece that it cuts into segments itself, in bytes; 0: none.
    #[serde(default)]
    pub tso_bytes: u32,
    /// Whether received frames lie so that the copy's source is aligned.
    #[serde(default)]
    pub aligned: bool,
    /// Whether the driver polls (NAPI) where the kernel can.
    #[serde(default)]
    pub napi: bool,
    /// Packets of one poll of this driver; 0: what the kernel says.
    #[serde(default)]
    pub napi_weight: u32,
    /// Used descriptors at which the driver refills the ring; 0 or 1: after each frame.
    #[serde(default)]
    pub refill_after: u32,
    /// Whether a driver that does not poll leaves that to a tasklet, which the softirq runs
    /// behind received packets; else its interrupt handler does it.
    #[serde(default)]
    pub refill_in_tasklet: bool,
    /// Whether descriptors hold bare memory and the driver, where it polls, makes an `sk_buff` of a
    /// frame that has come (`build_skb`, since 2.6.38); else each descriptor has one from the start.
    #[serde(default)]
    pub builds_skb: bool,
    /// The memory that the data of a received frame count; none: as much as a sender's of the same kernel.
    #[serde(default)]
    pub rx_data: Option<RxData>,
    /// The driver's code.
    pub driver: Driver,
}

/// The memory of a received frame's data as its driver allocates it: a buffer of the ring, or as much as the frame is
/// long. With the `sk_buff` it is the packet's `truesize`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RxData {
    /// Bytes that the smallest frame counts, and every frame where the driver passes up the ring's buffers.
    #[serde(default)]
    pub least_bytes: u32,
    /// Bytes beside the frame where its length counts: headroom, and `skb_shared_info` where `truesize` has it.
    #[serde(default)]
    pub beside_bytes: u32,
}

impl RxData {
    /// Bytes of memory of a frame of so many bytes, in whole cache lines (`SKB_DATA_ALIGN`).
    pub fn of(self, frame: u32, line_bytes: u32) -> u32 {
        let memory = frame.saturating_add(self.beside_bytes);
        memory
            .next_multiple_of(line_bytes.max(1))
            .max(self.least_bytes)
    }
}

/// What the driver's code costs.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Driver {
    /// The interrupt handler, once for each interrupt; counts the frames that are there.
    pub interrupt: Vec<Step>,
    /// For each time that the handler looks at the chip's causes: once an interrupt, and
    /// again when there is a new cause at the end.
    #[serde(default)]
    pub round: Vec<Step>,
    /// Most looks at the causes in one interrupt, where the driver does not poll
    /// (`max_interrupt_work`, `E1000_MAX_INTR`); 0: the first only.
    #[serde(default)]
    pub most_rounds: u32,
    /// For each received frame.
    pub receive: Vec<Step>,
    /// For each bunch of descriptors refilled.
    pub refill: Vec<Step>,
    /// For each frame handed to the chip.
    pub transmit: Vec<Step>,
    /// For each frame that the chip reports as sent.
    pub transmit_done: Vec<Step>,
    /// For each frame that an XDP program is asked about; none: the driver runs no such programs.
    #[serde(default)]
    pub xdp: Vec<Step>,
    /// For each frame that it drops.
    #[serde(default)]
    pub xdp_drop: Vec<Step>,
    /// For each frame put on the XDP send queue.
    #[serde(default)]
    pub xdp_transmit: Vec<Step>,
    /// For each such frame that the chip reports as sent.
    #[serde(default)]
    pub xdp_transmit_done: Vec<Step>,
}

impl Driver {
    /// The steps of one of its paths; none of a path that is the kernel's.
    pub fn steps_of(&self, path: Path) -> Option<&Vec<Step>> {
        match path {
            Path::DriverInterrupt => Some(&self.interrupt),
            Path::DriverRound => Some(&self.round),
            Path::DriverReceive => Some(&self.receive),
            Path::DriverRefill => Some(&self.refill),
            Path::DriverTransmit => Some(&self.transmit),
            Path::DriverTransmitDone => Some(&self.transmit_done),
            Path::DriverXdp => Some(&self.xdp),
            Path::DriverXdpDrop => Some(&self.xdp_drop),
            Path::DriverXdpTransmit => Some(&self.xdp_transmit),
            Path::DriverXdpTransmitDone => Some(&self.xdp_transmit_done),
            _ => None,
        }
    }

    /// The steps of all its paths.
    pub(super) fn steps(&self) -> impl Iterator<Item = &Step> {
        Path::ALL
            .iter()
            .filter_map(|&path| self.steps_of(path))
            .flatten()
    }
}
