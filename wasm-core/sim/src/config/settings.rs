//! What a scenario may change: the one list of settings. A setting's entry gives its field in [`Settings`], and with
//! it the schema; which values it can have and what it needs, by which a scenario is checked; and where its control
//! stands on the page.

use serde::{Deserialize, Serialize};

use super::controls::Allowed::{Cpus, Flag, Machine, Range, Words};
use super::controls::Applies::{
    Always, Connections, Link, Messages, Offered, Tcp, TcpLink, Threads,
};
use super::controls::Default as Usual;
use super::controls::{Place, Setting, settings};
use super::kernel::{Checksum, Routine};
use super::path::Path;

use crate::qdisc;
use crate::tcp::{EcnMode, congestion};

pub use super::choices::{IrqAffinity, Watch, XdpAction};
pub use super::controls::{USUAL_LINK_DELAY_US, USUAL_MESSAGE_BYTES, USUAL_PEER};

settings! {
    /// Physical CPUs in use.
    cpus: u16 = {
        allowed: Range(1, 64),
        applies: Always,
        place: Place::Cpus,
    },
    /// Whether every core shows its hyper-threads; absent: it does not.
    hyper_threading: bool = {
        allowed: Flag,
        default: Usual::Flag(false),
        applies: Always,
        place: Place::Cpus,
    },
    /// Connections.
    connections: u32 = {
        allowed: Range(1, 4096),
        default: Usual::Number(1),
        applies: Connections,
        place: Place::Sockets,
    },
    /// What the workload's files call "message".
    message_bytes: u32 = {
        unit: "bytes",
        allowed: Range(1, 1 << 24),
        default: Usual::Number(USUAL_MESSAGE_BYTES),
        applies: Messages,
        place: Place::Processes,
    },
    /// Rounds a second of each sender, in place of its own pauses.
    offered_per_s: u32 = {
        unit: "messages/s",
        allowed: Range(1, 10_000_000),
        applies: Offered,
        place: Place::Processes,
    },
    /// `SO_SNDBUF`.
    send_buffer_bytes: u32 = {
        unit: "bytes",
        allowed: Range(2048, 1 << 26),
        applies: Tcp,
        place: Place::Sockets,
    },
    /// `SO_RCVBUF`.
    receive_buffer_bytes: u32 = {
        unit: "bytes",
        allowed: Range(2048, 1 << 26),
        applies: Always,
        place: Place::Sockets,
    },
    /// `net.core.wmem_max` and `net.core.rmem_max` of both hosts.
    largest_buffer_bytes: u32 = {
        unit: "bytes",
        allowed: Range(2048, 1 << 26),
        applies: Always,
        place: Place::Sockets,
    },
    /// MTU of the device.
    mtu_bytes: u32 = {
        unit: "bytes",
        allowed: Range(256, 65_536),
        applies: Always,
        place: Place::Link,
    },
    /// Which CPU gets the NICs' interrupts.
    irq_affinity: IrqAffinity = {
        allowed: Cpus(&[
            "spread",
            "fixed",
        ]),
        applies: Link,
        place: Place::Nic,
    },
    /// The only receive queue whose interrupt goes to the CPU of `irq_affinity`.
    irq_queue: u16 = {
        allowed: Range(0, 255),
        applies: Link,
        place: Place::Nic,
    },
    /// Whether each task is bound to a CPU: over a link the one that its NIC's interrupts go to, else
    /// one after the other.
    process_affinity: bool = {
        allowed: Flag,
        default: Usual::Flag(false),
        applies: Always,
        place: Place::Processes,
    },
    /// CPUs that the watched host's programs and hogs may run on (`sched_setaffinity(2)`), the first ones;
    /// absent: all.
    process_cpus: u16 = {
        allowed: Range(1, 64),
        applies: Always,
        place: Place::Processes,
    },
    /// Receive descriptors of a queue.
    rx_ring: u32 = {
        unit: "descriptors",
        allowed: Range(1, 8192),
        applies: Link,
        place: Place::Nic,
    },
    /// Longest wait of a frame for its interrupt.
    interrupt_delay_us: u32 = {
        unit: "µs",
        allowed: Range(0, 10_000),
        applies: Link,
        place: Place::Nic,
    },
    /// Frames after which the interrupt comes at once.
    interrupt_frames: u32 = {
        unit: "frames",
        allowed: Range(0, 8192),
        applies: Link,
        place: Place::Nic,
    },
    /// Copy routine.
    copy: Routine = {
        allowed: Words(&["movsd", "integer"]),
        applies: Always,
        place: Place::Cpus,
    },
    /// Where checksums are computed.
    checksum: Checksum = {
        allowed: Words(&[
            "nic",
            "softirq",
            "with_copy",
        ]),
        applies: Link,
        place: Place::Nic,
    },
    /// Generic receive offload.
    gro: bool = {
        allowed: Flag,
        applies: TcpLink,
        needs: &[Path::GroReceive, Path::TcpGroReceive],
        place: Place::Driver,
    },
    /// Receive packet steering and receive flow steering, on all CPUs.
    rps: bool = {
        allowed: Flag,
        default: Usual::Flag(false),
        applies: Link,
        needs: &[Path::RpsTrigger],
        place: Place::Driver,
    },
    /// How long a reader polls before it sleeps.
    busy_poll_us: u32 = {
        unit: "µs",
        allowed: Range(0, 10_000),
        default: Usual::Number(0),
        applies: Link,
        needs: &[Path::BusyLoop, Path::BusyPoll, Path::BusyPollStop],
        place: Place::Processes,
    },
    /// Rules of netfilter that each packet for this host goes through; absent: there is no chain.
    firewall_rules: u32 = {
        allowed: Range(0, 100_000),
        applies: Always,
        needs: &[Path::NetfilterLocalIn],
        place: Place::Driver,
    },
    /// The last of them drops packets to this port.
    firewall_drops_port: u16 = {
        allowed: Range(1, 65_535),
        applies: Always,
        place: Place::Driver,
    },
    /// `net.netfilter.nf_conntrack_max` of the watched host; absent: it tracks no connections.
    nf_conntrack_max: u32 = {
        allowed: Range(1, 4_194_304),
        applies: Link,
        needs: &[
            Path::NetfilterLocalIn,
            Path::ConntrackIn,
            Path::ConntrackUdp,
            Path::ConntrackTcp,
            Path::ConntrackNew,
            Path::ConntrackEarlyDrop,
            Path::ConntrackConfirm,
        ],
        place: Place::Driver,
    },
    /// Tasks that only compute.
    background_hogs: u32 = {
        unit: "tasks",
        allowed: Range(0, 256),
        default: Usual::Number(0),
        applies: Always,
        place: Place::Cpus,
    },
    /// Whether the probes of the 2005 toolkit cost time.
    probes: bool = {
        allowed: Flag,
        default: Usual::Flag(false),
        applies: Always,
        place: Place::Observer,
    },
    /// Time of one probe.
    probe_cost_ns: u32 = {
        unit: "ns",
        allowed: Range(0, 1_000_000),
        applies: Always,
        place: Place::Observer,
    },
    /// Rate of the link and of the NICs at its ends.
    link_mbit: u32 = {
        unit: "Mbit/s",
        allowed: Range(1, 400_000),
        applies: Link,
        place: Place::Link,
    },
    /// One way.
    link_delay_us: u32 = {
        unit: "µs",
        allowed: Range(0, 1_000_000),
        default: Usual::Number(USUAL_LINK_DELAY_US),
        applies: Link,
        place: Place::Link,
    },
    /// Frames lost of a thousand.
    link_loss_permille: u32 = {
        unit: "‰",
        allowed: Range(0, 1000),
        default: Usual::Number(0),
        applies: Link,
        place: Place::Link,
    },
    /// Frames overtaken of a thousand.
    link_reorder_permille: u32 = {
        unit: "‰",
        allowed: Range(0, 1000),
        default: Usual::Number(0),
        applies: Link,
        place: Place::Link,
    },
    /// Clients of a server.
    clients: u32 = {
        allowed: Range(1, 10_000),
        applies: Connections,
        place: Place::Processes,
    },
    /// Threads of a process.
    threads: u32 = {
        allowed: Range(1, 4096),
        default: Usual::Number(1),
        applies: Threads,
        place: Place::Processes,
    },
    /// NICs in use.
    nics: u16 = {
        allowed: Range(1, 16),
        applies: Link,
        place: Place::Nic,
    },
    /// The machine at the other end of the link.
    peer: String = {
        allowed: Machine,
        default: Usual::Word(USUAL_PEER),
        applies: Link,
        place: Place::Link,
    },
    /// The host whose events the run has.
    watch: Watch = {
        allowed: Words(&["receiver", "sender"]),
        default: Usual::Word("receiver"),
        applies: Link,
        place: Place::Observer,
    },
    /// The congestion control of both hosts.
    tcp_congestion_control: congestion::Chosen = {
        allowed: Words(congestion::WORDS),
        applies: Tcp,
        place: Place::Sockets,
    },
    /// Whether both hosts ask for explicit congestion notification and agree to it.
    tcp_ecn: EcnMode = {
        allowed: Words(&[
            "never",
            "asks",
            "passive",
        ]),
        applies: TcpLink,
        place: Place::Sockets,
    },
    /// The queueing discipline of the watched host's NICs.
    qdisc: qdisc::Chosen = {
        allowed: Words(qdisc::WORDS),
        default: Usual::Word(qdisc::ALL[0].name),
        applies: Link,
        place: Place::Nic,
    },
    /// The wait in `fq_codel` above which each packet is marked whose transport knows ECN.
    ce_threshold_us: u32 = {
        unit: "µs",
        allowed: Range(0, 10_000_000),
        applies: TcpLink,
        place: Place::Nic,
    },
    /// Whether the transmit rings of the watched host's NICs take no more bytes than keep the NICs busy (BQL).
    byte_queue_limits: bool = {
        allowed: Flag,
        default: Usual::Flag(false),
        applies: Link,
        place: Place::Nic,
    },
    /// What the XDP program of each NIC says of frames.
    xdp: XdpAction = {
        allowed: Words(&[
            "drop",
            "pass",
            "tx",
            "redirect",
        ]),
        applies: Link,
        needs: &[Path::XdpProgram, Path::XdpRedirect, Path::XdpFlush],
        place: Place::Driver,
    },
    /// Only of frames to this port; it passes others.
    xdp_port: u16 = {
        allowed: Range(1, 65_535),
        applies: Link,
        place: Place::Driver,
    },
    /// Only of so many of a thousand of these.
    xdp_permille: u32 = {
        unit: "‰",
        allowed: Range(0, 1000),
        default: Usual::Number(1000),
        applies: Link,
        place: Place::Driver,
    },
}
