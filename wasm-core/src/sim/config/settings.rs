//! What a scenario may change, and within which limits: the one table that both the
//! check of a scenario and the controls on the page read.

use serde::{Deserialize, Serialize};

use super::kernel::{Checksum, Routine};

/// Changes to the machine, kernel and workload of a scenario; what is absent stays as
/// the files have it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Physical CPUs in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<u16>,
    /// Whether every core shows its hyper-threads; absent: it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hyper_threading: Option<bool>,
    /// Connections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<u32>,
    /// What the workload's files call "message".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_bytes: Option<u32>,
    /// `SO_SNDBUF`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub send_buffer_bytes: Option<u32>,
    /// `SO_RCVBUF`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receive_buffer_bytes: Option<u32>,
    /// MTU of the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mtu_bytes: Option<u32>,
    /// Which CPU gets the NICs' interrupts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub irq_affinity: Option<IrqAffinity>,
    /// Whether each task is bound to a CPU in turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process_affinity: Option<bool>,
    /// Receive descriptors of a queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rx_ring: Option<u32>,
    /// Longest wait of a frame for its interrupt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupt_delay_us: Option<u32>,
    /// Frames after which the interrupt comes at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupt_frames: Option<u32>,
    /// Copy routine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy: Option<Routine>,
    /// Where checksums are computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checksum: Option<Checksum>,
    /// Generic receive offload.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gro: Option<bool>,
    /// Receive packet steering.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rps: Option<bool>,
    /// Tasks that only compute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background_hogs: Option<u32>,
    /// Whether the probes of the 2005 toolkit cost time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probes: Option<bool>,
    /// Time of one probe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probe_cost_ns: Option<u32>,
    /// One way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_delay_us: Option<u32>,
    /// Frames lost of a thousand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_loss_permille: Option<u32>,
    /// Frames overtaken of a thousand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_reorder_permille: Option<u32>,
    /// Clients of a server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clients: Option<u32>,
    /// Threads of a process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// NICs in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nics: Option<u16>,
    /// The machine at the other end of the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer: Option<String>,
    /// The host whose events the run has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// What the XDP program of each NIC says of frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xdp: Option<XdpAction>,
    /// Only of frames to this port; it passes others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xdp_port: Option<u16>,
    /// Only of so many of a thousand of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xdp_permille: Option<u32>,
}

impl Settings {
    /// `sk_rcvbuf` in bytes of memory where the program set it: `SO_RCVBUF` doubled, "to
    /// allow for bookkeeping overhead" (`net/core/sock.c: __sock_set_rcvbuf`, v6.1;
    /// `sock_setsockopt` since v2.2).
    pub fn receive_buffer(&self) -> Option<u32> {
        self.receive_buffer_bytes
            .map(|asked| asked.saturating_mul(2))
    }

    /// `sk_sndbuf` in bytes of memory where the program set it: `SO_SNDBUF`, doubled likewise.
    pub fn send_buffer(&self) -> Option<u32> {
        self.send_buffer_bytes.map(|asked| asked.saturating_mul(2))
    }
}

/// Which CPU gets a NIC's interrupts: "spread", "fixed" or "cpu3".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub enum IrqAffinity {
    /// A NIC's (or queue's) own CPU.
    Spread,
    /// As the machine routes them without help.
    Fixed,
    /// All to this one.
    Cpu(u16),
}

/// What [`IrqAffinity`] can be, for messages.
pub const IRQ_AFFINITY: &str = "\"spread\", \"fixed\" or \"cpu0\" to \"cpu63\"";

impl TryFrom<String> for IrqAffinity {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let cpu = || {
            text.strip_prefix("cpu")?
                .parse()
                .ok()
                .filter(|&cpu| cpu < 64)
        };
        match text.as_str() {
            "spread" => Ok(Self::Spread),
            "fixed" => Ok(Self::Fixed),
            _ => cpu()
                .map(Self::Cpu)
                .ok_or_else(|| format!("expected {IRQ_AFFINITY}")),
        }
    }
}

impl From<IrqAffinity> for String {
    fn from(affinity: IrqAffinity) -> Self {
        match affinity {
            IrqAffinity::Spread => "spread".to_owned(),
            IrqAffinity::Fixed => "fixed".to_owned(),
            IrqAffinity::Cpu(cpu) => format!("cpu{cpu}"),
        }
    }
}

/// A host of a run over a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Watch {
    /// The one that gets the data.
    Receiver,
    /// The one that sends it.
    Sender,
}

/// A verdict of an XDP program (`enum xdp_action`, `include/uapi/linux/bpf.h`, v6.1). Programs here
/// are never at fault, so that there is no `XDP_ABORTED`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum XdpAction {
    /// The frame is dropped.
    Drop,
    /// It becomes a packet and goes up.
    Pass,
    /// It leaves by the NIC at which it came, back to who sent it.
    Tx,
    /// It leaves by the next NIC.
    Redirect,
}

impl XdpAction {
    /// As the kernel's tracepoints print it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drop => "DROP",
            Self::Pass => "PASS",
            Self::Tx => "TX",
            Self::Redirect => "REDIRECT",
        }
    }
}

/// What values a setting can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    /// A whole number between these, both included.
    Range(u64, u64),
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Words(&'static [&'static str]),
    /// An [`IrqAffinity`].
    IrqAffinity,
    /// The name of a machine.
    Machine,
}

/// Every setting with its values; `cpus` and `nics` have the machine's limit besides.
pub const SETTINGS: &[(&str, Allowed)] = &[
    ("cpus", Allowed::Range(1, 64)),
    ("hyper_threading", Allowed::Flag),
    ("connections", Allowed::Range(1, 4096)),
    ("message_bytes", Allowed::Range(1, 1 << 24)),
    ("send_buffer_bytes", Allowed::Range(2048, 1 << 26)),
    ("receive_buffer_bytes", Allowed::Range(2048, 1 << 26)),
    ("mtu_bytes", Allowed::Range(256, 65_536)),
    ("irq_affinity", Allowed::IrqAffinity),
    ("process_affinity", Allowed::Flag),
    ("rx_ring", Allowed::Range(1, 8192)),
    ("interrupt_delay_us", Allowed::Range(0, 10_000)),
    ("interrupt_frames", Allowed::Range(0, 8192)),
    ("copy", Allowed::Words(&["movsd", "integer"])),
    ("checksum", Allowed::Words(&["nic", "softirq", "with_copy"])),
    ("gro", Allowed::Flag),
    ("rps", Allowed::Flag),
    ("background_hogs", Allowed::Range(0, 256)),
    ("probes", Allowed::Flag),
    ("probe_cost_ns", Allowed::Range(0, 1_000_000)),
    ("link_delay_us", Allowed::Range(0, 1_000_000)),
    ("link_loss_permille", Allowed::Range(0, 1000)),
    ("link_reorder_permille", Allowed::Range(0, 1000)),
    ("clients", Allowed::Range(1, 10_000)),
    ("threads", Allowed::Range(1, 4096)),
    ("nics", Allowed::Range(1, 16)),
    ("peer", Allowed::Machine),
    ("watch", Allowed::Words(&["receiver", "sender"])),
    ("xdp", Allowed::Words(&["drop", "pass", "tx", "redirect"])),
    ("xdp_port", Allowed::Range(1, 65_535)),
    ("xdp_permille", Allowed::Range(0, 1000)),
];
