//! What happened to the packet for each [`DropReason`], and what helps where
//! something does.
//!
//! A reason is often given at many places; the function is one of them, chosen for
//! IPv4 where there is a choice. Read in v6.12; reasons that it does not have yet
//! are given as v6.18. The tables are beside this file.

mod device;
mod ip;
mod socket;
mod tcp;
mod tunnel;

use super::Entry;
use crate::kernel::DropReason;

/// The entry of a drop reason.
#[allow(clippy::too_many_lines, reason = "a table: one arm for every reason")]
pub const fn drop_reason(reason: DropReason) -> Entry {
    by_group!(reason, DropReason {
        socket:
            NotSpecified NoSocket SocketClose SocketFilter SocketRcvbuff UnixDisconnect
            UnixSkipOob ProtoMem SocketBacklog SecurityHook SkbUcopyFault QueuePurge
            PacketSockError Pfmemalloc Nomem RxRingFull Unrecognised;
        ip:
            PktTooSmall NetfilterDrop Otherhost IpCsum IpInhdr IpRpfilter UnicastInL2Multicast
            XfrmPolicy IpNoproto IpOutnoroutes BpfCgroupEgress Ipv6disabled IcmpCsum
            InvalidProto IpInaddrerrors IpInnoroutes IpLocalSource IpInvalidSource IpLocalnet
            IpInvalidDest PktTooBig DupFrag FragReasmTimeout FragTooFar Ipv6BadExthdr
            Ipv6NdiscFrag Ipv6NdiscHopLimit Ipv6NdiscBadCode Ipv6NdiscBadOptions
            Ipv6NdiscNsOtherhost ArpPvlanDisable;
        tcp:
            TcpCsum UdpCsum TcpAuthHdr TcpMd5notfound TcpMd5unexpected TcpMd5failure
            TcpAonotfound TcpAounexpected TcpAokeynotfound TcpAofailure TcpFlags TcpAbortOnData
            TcpZerowindow TcpOldData TcpOverwindow TcpOfomerge TcpRfc7323Paws TcpRfc7323PawsAck
            TcpRfc7323TwPaws TcpRfc7323Tsecr TcpListenOverflow TcpOldSequence TcpInvalidSequence
            TcpInvalidEndSequence TcpInvalidAckSequence TcpReset TcpInvalidSyn TcpClose
            TcpFastopen TcpOldAck TcpTooOldAck TcpAckUnsentData TcpOfoQueuePrune TcpOfoDrop
            TcpMinttl PspInput PspOutput;
        device:
            NeighCreatefail NeighFailed NeighQueuefull NeighDead NeighHhFillfail TcEgress
            QdiscDrop QdiscOverlimit QdiscCongested CakeFlood FqBandLimit FqHorizonLimit
            FqFlowLimit Dualpi2StepDrop CpuBacklog Xdp TcIngress UnhandledProto SkbCsum
            SkbGsoSeg DevHdr DevReady FullRing HdrTrunc TapFilter TapTxfilter TcCookieError
            TcChainNotfound TcReclassifyLoop MacIeeeMacControl BridgeIngressStpState
            CanRxInvalidFrame CanfdRxInvalidFrame CanxlRxInvalidFrame RecursionLimit;
        tunnel:
            VxlanInvalidHdr VxlanVniNotFound MacInvalidSource VxlanEntryExists NoTxTarget
            IpTunnelEcn TunnelTxinfo LocalMac;
    })
}
