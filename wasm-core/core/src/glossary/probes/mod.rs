//! What passing each [`Probe`] means for the packet, the CPU or the task.
//!
//! Every sentence says what has just happened or begins. The tables are beside this
//! file, one for each part of the stack; here is only the match over all of them.

mod interrupt;
mod kperf;
mod model;
mod receive;
mod scheduler;
mod send;
mod socket;
mod transport;
mod xdp;

use super::Entry;
use crate::kernel::Probe;

/// The entry of a probe.
#[allow(clippy::too_many_lines, reason = "a table: one arm for every probe")]
pub const fn probe(probe: Probe) -> Entry {
    by_group!(probe, Probe {
        interrupt:
            IrqHandlerEntry IrqHandlerExit SoftirqRaise SoftirqEntry SoftirqExit TaskletEntry TaskletExit
            CallFunctionSingleEntry RescheduleEntry DriverIrq DriverPoll DriverPollRet NapiSchedule
            NetRxAction NetTxAction NapiPoll NapiCompleteDone ProcessBacklog RpsTriggerSoftirq;
        receive:
            WireRx RxMissed NapiGroReceive NapiGroReceiveEntry NapiGroReceiveExit NapiGroFragsEntry
            NapiGroFragsExit SkbGroReceive NetifReceiveSkbEntry NetifReceiveSkbExit
            NetifReceiveSkbListEntry NetifReceiveSkbListExit NetifReceiveSkbCore NetifReceiveSkb
            NetifRxEntry NetifRx NetifRxExit EnqueueToBacklog IpListRcv IpRcv IpRcvCore IpLocalDeliver
            IpDefrag InetFragQueueInsert InetFragReasmFinish InetFragKill IpExpire
            IpProtocolDeliverRcu IcmpSend;
        transport:
            TcpV4Rcv TcpV4DoRcv TcpRcvEstablished TcpRcvStateProcess TcpProbe TcpAck TcpDataQueue
            TcpQueueRcv TcpTryCoalesce TcpPrequeue TcpAddBacklog TcpCollapse TcpDataReady TcpBadCsum
            TcpReceiveReset TcpRcvbufGrow TcpCongStateSet UdpRcv UdpQueueRcvSkb UdpQueueRcvOneSkb
            UdpEnqueueScheduleSkb UdpEnqueueScheduleSkbRet UdpFailQueueRcvSkb;
        socket:
            SockDefReadable SkDataReady SockRcvqueueFull SockExceedBufLimit SockRecvLength
            SockSendLength SysEnter SysExit SysRecvfrom SysRecvfromRet TcpRecvmsg TcpRecvmsgRet
            UdpRecvmsg UdpRecvmsgRet SkbRecvUdpRet SkbWaitForMorePackets SkWaitData
            SkbCopyDatagramIter SkbCopyDatagramIovec SkbConsumeUdp UdpRmemRelease TcpCleanupRbuf
            TcpRcvSpaceAdjust ReleaseSock ReleaseSockBacklog InetSockSetState InetSkErrorReport
            TcpDestroySock;
        send:
            SysSendto TcpSendmsg TcpSendmsgLocked UdpSendmsg TcpWriteXmit TcpTransmitSkb
            TcpRetransmitSkb TcpRetransmitSynack TcpSendAck TcpSendReset TcpDelackTimerHandler
            IpQueueXmit IpSendSkb IpLocalOut IpOutput IpDoFragment IpFinishOutput2 DevQueueXmit
            NetDevQueue QdiscEnqueue QdiscDequeue QdiscReset QdiscCreate QdiscDestroy SchDirectXmit
            DevHardStartXmit NetDevStartXmit NdoStartXmit NetDevXmit NetDevXmitTimeout WireTx
            ConsumeSkb KfreeSkb;
        xdp:
            BpfProgRunXdp BuildSkb DriverXdpXmit XdpRedirect XdpDevmapXmit XdpException XdpReturnFrame;
        scheduler:
            SchedSwitch SchedWakeup SchedWakeupNew SchedWaking SchedMigrateTask SchedProcessFork
            SchedProcessExec SchedProcessExit;
        kperf:
            TpsSocket TpsSocketTrans TpsTransIp TpsIpNet TpsNet TprNet TprNetIp TprIpTrans
            TprTransSocket TprSocket;
        model:
            RxDma RxItr ContentionBegin ContentionEnd LockRelease CacheLineFill CacheLineMove
            CacheLineEvict CacheLineState RunQueue RunQueueTask TimeSlice ProbeCost LostEvents;
    })
}
