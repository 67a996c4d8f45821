//! What settings can be that are neither number nor flag.

use serde::{Deserialize, Serialize};

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
                .ok_or_else(|| r#"expected "spread", "fixed" or "cpu0" to "cpu63""#.to_owned()),
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
