//! The words of a line: which probes are tracepoints and what a field's key is there,
//! as the tracepoints print it (`include/trace/events/`, v6.12) and the captures'
//! kprobe events do.

use std::fmt::Write as _;
use std::net::Ipv6Addr;

use crate::import::ftrace::values::identifier;
use crate::kernel::{Field, Probe};

/// Whether the kernel prints this probe by itself; all others are kprobe events, also
/// those that only a model has.
pub(super) const fn is_tracepoint(probe: Probe) -> bool {
    matches!(
        probe,
        Probe::IrqHandlerEntry
            | Probe::IrqHandlerExit
            | Probe::SoftirqRaise
            | Probe::SoftirqEntry
            | Probe::SoftirqExit
            | Probe::TaskletEntry
            | Probe::TaskletExit
            | Probe::CallFunctionSingleEntry
            | Probe::RescheduleEntry
            | Probe::NapiPoll
            | Probe::NapiGroReceiveEntry
            | Probe::NapiGroReceiveExit
            | Probe::NapiGroFragsEntry
            | Probe::NapiGroFragsExit
            | Probe::NetifReceiveSkbEntry
            | Probe::NetifReceiveSkbExit
            | Probe::NetifReceiveSkbListEntry
            | Probe::NetifReceiveSkbListExit
            | Probe::NetifReceiveSkb
            | Probe::NetifRxEntry
            | Probe::NetifRx
            | Probe::NetifRxExit
            | Probe::IcmpSend
            | Probe::TcpProbe
            | Probe::TcpBadCsum
            | Probe::TcpReceiveReset
            | Probe::TcpRcvbufGrow
            | Probe::TcpCongStateSet
            | Probe::TcpRcvSpaceAdjust
            | Probe::TcpDestroySock
            | Probe::TcpRetransmitSkb
            | Probe::TcpRetransmitSynack
            | Probe::TcpSendReset
            | Probe::TcpSendmsgLocked
            | Probe::UdpFailQueueRcvSkb
            | Probe::SkDataReady
            | Probe::SockRcvqueueFull
            | Probe::SockExceedBufLimit
            | Probe::SockRecvLength
            | Probe::SockSendLength
            | Probe::InetSockSetState
            | Probe::InetSkErrorReport
            | Probe::SkbCopyDatagramIovec
            | Probe::ConsumeSkb
            | Probe::KfreeSkb
            | Probe::NetDevQueue
            | Probe::QdiscEnqueue
            | Probe::QdiscDequeue
            | Probe::QdiscReset
            | Probe::QdiscCreate
            | Probe::QdiscDestroy
            | Probe::NetDevStartXmit
            | Probe::NetDevXmit
            | Probe::NetDevXmitTimeout
            | Probe::XdpRedirect
            | Probe::XdpDevmapXmit
            | Probe::XdpException
            | Probe::SchedSwitch
            | Probe::SchedWakeup
            | Probe::SchedWakeupNew
            | Probe::SchedWaking
            | Probe::SchedMigrateTask
            | Probe::SchedProcessFork
            | Probe::SchedProcessExec
            | Probe::SchedProcessExit
    )
}

/// The key of a field, which the importer reads as that field.
pub(super) const fn key(field: Field, probe: Probe) -> &'static str {
    match (field, probe) {
        (Field::TargetCpu, Probe::SchedWakeup | Probe::SchedWakeupNew | Probe::SchedWaking) => {
            "target_cpu"
        }
        (Field::TargetCpu, _) => "cpu",
        (Field::TargetPid, _) => "pid",
        (Field::Queue, _) => "queue_mapping",
        (Field::Cookie, _) => "sock_cookie",
        (Field::Func, Probe::TaskletEntry | Probe::TaskletExit) => "function",
        (Field::Num, Probe::UdpFailQueueRcvSkb) => "port",
        (Field::ResetReason, Probe::TcpSendReset) => "reason",
        (Field::Rmem, Probe::SockRcvqueueFull) => "rmem_alloc",
        (Field::Rcvbuf, Probe::SockRcvqueueFull) => "sk_rcvbuf",
        (Field::Budget, Probe::ProcessBacklog) => "quota",
        (Field::Off, Probe::SkbCopyDatagramIter) => "offset",
        (Field::Error, Probe::XdpRedirect | Probe::XdpDevmapXmit) => "err",
        (Field::FromIfindex, Probe::XdpRedirect | Probe::XdpException) => "ifindex",
        _ => field.name(),
    }
}

/// Fields that stand before the packet where they come before it.
pub(super) const BEFORE_SKB: [Field; 12] = [
    Field::Dev,
    Field::Queue,
    Field::Packets,
    Field::Napi,
    Field::Q,
    Field::Into,
    Field::Num,
    Field::Rmem,
    Field::Rcvbuf,
    Field::Rqlen,
    Field::Backlog,
    Field::Owned,
];

/// Whether a name can stand behind `=` as it is.
pub(super) fn is_word(name: &str) -> bool {
    let is_open = |letter: char| letter.is_ascii_whitespace() || letter.is_ascii_control();
    !name.is_empty() && !name.starts_with('"') && !name.contains(is_open) && is_end(name)
}

/// Whether a name can stand where only the end of the line ends it.
pub(super) fn is_tail(name: &str) -> bool {
    let is_blank = |letter: char| letter.is_ascii_whitespace();
    !name.is_empty()
        && !name.starts_with(is_blank)
        && !name.ends_with(is_blank)
        && !name.starts_with('"')
        && !name.contains(|letter: char| letter.is_ascii_control())
        && is_end(name)
}

/// A comma at the end is taken for punctuation, an arrow for the edge of a screen.
fn is_end(name: &str) -> bool {
    !name.ends_with([',', '>'])
}

/// Whether a name is an identifier of C, as which the importer reads a drop reason.
pub(super) fn is_identifier(name: &str) -> bool {
    !name.is_empty() && identifier(name.as_bytes()).len() == name.len()
}

/// Whether a name can stand between quotes.
pub(super) fn is_quotable(name: &str) -> bool {
    !name.contains(|letter: char| letter == '"' || letter.is_ascii_control())
}

/// Whether the importer reads an IPv6 address back as it is.
pub(super) fn is_ipv6(name: &str) -> bool {
    let address: Option<Ipv6Addr> = name.parse().ok();
    address.is_some_and(|address| {
        !address.is_unspecified()
            && address.to_ipv4_mapped().is_none()
            && address.to_string() == name
    })
}

/// A number in network order, as a kprobe event prints it on a little-endian machine.
pub(super) fn be16(key: &str, value: u32, text: &mut String) -> std::fmt::Result {
    write!(text, " {key}={:#x}", (value as u16).swap_bytes())
}

/// The same with 32 bits.
pub(super) fn be32(key: &str, value: u32, text: &mut String) -> std::fmt::Result {
    write!(text, " {key}={:#x}", value.swap_bytes())
}
