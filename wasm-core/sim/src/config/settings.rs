//! What a scenario may change: the one list of settings. A setting's line gives its field in
//! [`Settings`], and with it the schema; which values it can have, by which a scenario is checked; and
//! what its control on the page says.

use serde::{Deserialize, Serialize};

use super::controls::Allowed::{Cpus, Flag, Machine, Range, Words};
use super::controls::Applies::{
    Always, Connections, Link, Messages, Offered, Tcp, TcpLink, Threads,
};
use super::controls::Default as Usual;
use super::controls::{Setting, settings};
use super::kernel::{Checksum, Routine};

use crate::qdisc;
use crate::tcp::{EcnMode, congestion};

pub use super::choices::{IrqAffinity, Watch, XdpAction};
pub use super::controls::{USUAL_LINK_DELAY_US, USUAL_MESSAGE_BYTES, USUAL_PEER};

settings! {
    /// Physical CPUs in use.
    cpus: u16 = {
        title: "CPUs",
        about: "Processors in use, the first ones.",
        allowed: Range(1, 64),
        applies: Always,
    },
    /// Whether every core shows its hyper-threads; absent: it does not.
    hyper_threading: bool = {
        title: "Hyper-threading",
        about: "Whether each processor shows its threads as CPUs.",
        allowed: Flag,
        default: Usual::Flag(false),
        applies: Always,
    },
    /// Connections.
    connections: u32 = {
        title: "Connections",
        about: "All at the same time.",
        allowed: Range(1, 4096),
        default: Usual::Number(1),
        applies: Connections,
    },
    /// What the workload's files call "message".
    message_bytes: u32 = {
        title: "Message",
        unit: "bytes",
        about: "What one call sends or asks for.",
        allowed: Range(1, 1 << 24),
        default: Usual::Number(USUAL_MESSAGE_BYTES),
        applies: Messages,
    },
    /// Rounds a second of each sender, in place of its own pauses.
    offered_per_s: u32 = {
        title: "Offered load",
        unit: "messages/s",
        about: "So many messages from each sender, evenly; one that is late makes up for it.",
        allowed: Range(1, 10_000_000),
        applies: Offered,
    },
    /// `SO_SNDBUF`.
    send_buffer_bytes: u32 = {
        title: "Send buffer",
        unit: "bytes",
        about: "SO_SNDBUF: how much a sender may have on the way.",
        allowed: Range(2048, 1 << 26),
        applies: Tcp,
    },
    /// `SO_RCVBUF`.
    receive_buffer_bytes: u32 = {
        title: "Receive buffer",
        unit: "bytes",
        about: "SO_RCVBUF: how much may wait for the reader.",
        allowed: Range(2048, 1 << 26),
        applies: Always,
    },
    /// `net.core.wmem_max` and `net.core.rmem_max` of both hosts.
    largest_buffer_bytes: u32 = {
        title: "Largest buffers",
        unit: "bytes",
        about: "net.core.wmem_max and rmem_max: no program gets larger buffers, whatever it asks for.",
        allowed: Range(2048, 1 << 26),
        applies: Always,
    },
    /// MTU of the device.
    mtu_bytes: u32 = {
        title: "MTU",
        unit: "bytes",
        about: "Largest IP packet of the device.",
        allowed: Range(256, 65_536),
        applies: Always,
    },
    /// Which CPU gets the NICs' interrupts.
    irq_affinity: IrqAffinity = {
        title: "Interrupts go to",
        about: "Which CPU takes the NICs’ interrupts.",
        allowed: Cpus(&[
            ("spread", "each NIC’s own CPU"),
            ("fixed", "where the machine sends them"),
        ]),
        applies: Link,
    },
    /// The only receive queue whose interrupt goes to the CPU of `irq_affinity`.
    irq_queue: u16 = {
        title: "Only this queue’s",
        about: "Of the interrupts that go to one CPU: only this receive queue’s, counted from 0; the others stay.",
        allowed: Range(0, 255),
        applies: Link,
    },
    /// Whether each task is bound to a CPU: over a link the one that its NIC's interrupts go to, else
    /// one after the other.
    process_affinity: bool = {
        title: "Bound processes",
        about: "Each program stays on one CPU: over a link where its NIC's interrupt goes, else one after the other.",
        allowed: Flag,
        default: Usual::Flag(false),
        applies: Always,
    },
    /// CPUs that the watched host's programs and hogs may run on (`sched_setaffinity(2)`), the first ones;
    /// absent: all.
    process_cpus: u16 = {
        title: "CPUs for processes",
        about: "Programs and hogs run on the first so many CPUs only, as under taskset; the others stay free for the kernel.",
        allowed: Range(1, 64),
        applies: Always,
    },
    /// Receive descriptors of a queue.
    rx_ring: u32 = {
        title: "Receive ring",
        unit: "descriptors",
        about: "Frames that a NIC’s queue can hold for the driver.",
        allowed: Range(1, 8192),
        applies: Link,
    },
    /// Longest wait of a frame for its interrupt.
    interrupt_delay_us: u32 = {
        title: "Interrupt delay",
        unit: "µs",
        about: "How long a NIC waits for more frames before it interrupts.",
        allowed: Range(0, 10_000),
        applies: Link,
    },
    /// Frames after which the interrupt comes at once.
    interrupt_frames: u32 = {
        title: "Interrupt after",
        unit: "frames",
        about: "So many frames end that wait; 0: only time does.",
        allowed: Range(0, 8192),
        applies: Link,
    },
    /// Copy routine.
    copy: Routine = {
        title: "Copy routine",
        about: "How bytes get from packet to process and back.",
        allowed: Words(&[("movsd", "rep movsd"), ("integer", "integer registers")]),
        applies: Always,
    },
    /// Where checksums are computed.
    checksum: Checksum = {
        title: "Checksum",
        about: "Where it is computed.",
        allowed: Words(&[
            ("nic", "by the NIC"),
            ("softirq", "in the softirq"),
            ("with_copy", "with the copy"),
        ]),
        applies: Link,
    },
    /// Generic receive offload.
    gro: bool = {
        title: "GRO",
        about: "Segments of a stream are merged before TCP sees them.",
        allowed: Flag,
        applies: TcpLink,
    },
    /// Receive packet steering and receive flow steering, on all CPUs.
    rps: bool = {
        title: "RPS and RFS",
        about: "The kernel hands packets to the CPU of their reader (RFS), or to one by their flow where nobody has read (RPS).",
        allowed: Flag,
        default: Usual::Flag(false),
        applies: Link,
    },
    /// How long a reader polls before it sleeps.
    busy_poll_us: u32 = {
        title: "Busy polling",
        unit: "µs",
        about: "net.core.busy_read: so long a reader polls the NIC itself before it sleeps; 0: it sleeps at once.",
        allowed: Range(0, 10_000),
        default: Usual::Number(0),
        applies: Link,
    },
    /// Rules of netfilter that each packet for this host goes through; absent: there is no chain.
    firewall_rules: u32 = {
        title: "Firewall rules",
        about: "nftables rules that each packet for this host is compared with before TCP or UDP; 0: an empty chain.",
        allowed: Range(0, 100_000),
        applies: Always,
    },
    /// The last of them drops packets to this port.
    firewall_drops_port: u16 = {
        title: "Firewall: drops port",
        about: "The last rule drops packets to this port; no other rule is met.",
        allowed: Range(1, 65_535),
        applies: Always,
    },
    /// `net.netfilter.nf_conntrack_max` of the watched host; absent: it tracks no connections.
    nf_conntrack_max: u32 = {
        title: "Connection tracking, entries",
        about: "nf_conntrack_max: the host tracks connections, so many at most; a packet of one more is dropped.",
        allowed: Range(1, 4_194_304),
        applies: Link,
    },
    /// Tasks that only compute.
    background_hogs: u32 = {
        title: "Background hogs",
        unit: "tasks",
        about: "Tasks that only compute, for ever.",
        allowed: Range(0, 256),
        default: Usual::Number(0),
        applies: Always,
    },
    /// Whether the probes of the 2005 toolkit cost time.
    probes: bool = {
        title: "Probes",
        about: "The thirteen of the 2005 toolkit are in place and take their time.",
        allowed: Flag,
        default: Usual::Flag(false),
        applies: Always,
    },
    /// Time of one probe.
    probe_cost_ns: u32 = {
        title: "Cost of a probe",
        unit: "ns",
        about: "Time that each takes.",
        allowed: Range(0, 1_000_000),
        applies: Always,
    },
    /// Rate of the link and of the NICs at its ends.
    link_mbit: u32 = {
        title: "Link rate",
        unit: "Mbit/s",
        about: "How fast the link and the NICs at both its ends are.",
        allowed: Range(1, 400_000),
        applies: Link,
    },
    /// One way.
    link_delay_us: u32 = {
        title: "Delay",
        unit: "µs",
        about: "From one end of the link to the other.",
        allowed: Range(0, 1_000_000),
        default: Usual::Number(USUAL_LINK_DELAY_US),
        applies: Link,
    },
    /// Frames lost of a thousand.
    link_loss_permille: u32 = {
        title: "Loss",
        unit: "‰",
        about: "Frames that the link loses.",
        allowed: Range(0, 1000),
        default: Usual::Number(0),
        applies: Link,
    },
    /// Frames overtaken of a thousand.
    link_reorder_permille: u32 = {
        title: "Reordering",
        unit: "‰",
        about: "Frames that the next one overtakes.",
        allowed: Range(0, 1000),
        default: Usual::Number(0),
        applies: Link,
    },
    /// Clients of a server.
    clients: u32 = {
        title: "Clients",
        about: "Of a server: its connections, where these are not set.",
        allowed: Range(1, 10_000),
        applies: Connections,
    },
    /// Threads of a process.
    threads: u32 = {
        title: "Threads",
        about: "Of a process, which share a socket.",
        allowed: Range(1, 4096),
        default: Usual::Number(1),
        applies: Threads,
    },
    /// NICs in use.
    nics: u16 = {
        title: "NICs",
        about: "Network cards in use, the first ones.",
        allowed: Range(1, 16),
        applies: Link,
    },
    /// The machine at the other end of the link.
    peer: String = {
        title: "Other host",
        about: "The machine at the far end of the link.",
        allowed: Machine,
        default: Usual::Word(USUAL_PEER),
        applies: Link,
    },
    /// The host whose events the run has.
    watch: Watch = {
        title: "Watch",
        about: "Whose events the run has.",
        allowed: Words(&[("receiver", "the receiver"), ("sender", "the sender")]),
        default: Usual::Word("receiver"),
        applies: Link,
    },
    /// The congestion control of both hosts.
    tcp_congestion_control: congestion::Chosen = {
        title: "Congestion control",
        about: "net.ipv4.tcp_congestion_control of both hosts: how a sender’s window grows, and what a loss or a mark takes from it.",
        allowed: Words(congestion::WORDS),
        applies: Tcp,
    },
    /// Whether both hosts ask for explicit congestion notification and agree to it.
    tcp_ecn: EcnMode = {
        title: "ECN",
        about: "net.ipv4.tcp_ecn of both hosts: a queue that knows it (fq_codel) marks packets where it would drop them.",
        allowed: Words(&[
            ("never", "neither asked for nor agreed to (0)"),
            ("asks", "asked for (1)"),
            ("passive", "agreed to where the other asks (2)"),
        ]),
        applies: TcpLink,
    },
    /// The queueing discipline of the watched host's NICs.
    qdisc: qdisc::Chosen = {
        title: "Queueing discipline",
        about: "tc qdisc: which packet leaves next and which are dropped, where packets wait for the NIC.",
        allowed: Words(qdisc::WORDS),
        default: Usual::Word(qdisc::ALL[0].name),
        applies: Link,
    },
    /// The wait in `fq_codel` above which each packet is marked whose transport knows ECN.
    ce_threshold_us: u32 = {
        title: "Marks above",
        unit: "µs",
        about: "ce_threshold of fq_codel: each packet that waited longer is marked, if its sender knows ECN.",
        allowed: Range(0, 10_000_000),
        applies: TcpLink,
    },
    /// Whether the transmit rings of the watched host's NICs take no more bytes than keep the NICs busy (BQL).
    byte_queue_limits: bool = {
        title: "Byte queue limits",
        about: "BQL: the NIC gets only as much as keeps it busy; the rest waits in the queueing discipline, which can decide about it.",
        allowed: Flag,
        default: Usual::Flag(false),
        applies: Link,
    },
    /// What the XDP program of each NIC says of frames.
    xdp: XdpAction = {
        title: "XDP program",
        about: "What the NIC’s XDP program says of a frame, before there is a packet.",
        allowed: Words(&[
            ("drop", "drops frames"),
            ("pass", "passes them on"),
            ("tx", "sends them back"),
            ("redirect", "sends them out of the next NIC"),
        ]),
        applies: Link,
    },
    /// Only of frames to this port; it passes others.
    xdp_port: u16 = {
        title: "XDP: only to port",
        about: "The program passes frames to other ports.",
        allowed: Range(1, 65_535),
        applies: Link,
    },
    /// Only of so many of a thousand of these.
    xdp_permille: u32 = {
        title: "XDP: only so many",
        unit: "‰",
        about: "Of the frames that it is meant for, by chance; it passes the others.",
        allowed: Range(0, 1000),
        default: Usual::Number(1000),
        applies: Link,
    },
}
