//! What waits in each queue, and what limits it.
//!
//! Each entry names the function that puts something in, read in v6.12; TCP's
//! prequeue was removed in v4.14 and was read in v2.6.35.

use super::Entry;
use crate::kernel::QueueKind;

/// The entry of a queue.
pub const fn queue(queue: QueueKind) -> Entry {
    explain!(queue, QueueKind {
        RxRing: "Frames that the NIC has written to memory and the driver has not taken yet; when no descriptor is free, the NIC drops.",
            "include/linux/netdevice.h: napi_struct";
        Backlog: "Packets that a CPU still has to take into the stack; each CPU has one queue, and net.core.netdev_max_backlog limits it.",
            "net/core/dev.c: enqueue_to_backlog";
        Reassembly: "IP fragments waiting for the missing pieces of their datagram; a timer, 30 seconds by default, gives up on them.",
            "net/ipv4/inet_fragment.c: inet_frag_queue_insert";
        SocketBacklog: "Segments that arrived while a process held the socket's lock; they are processed as soon as it lets go.",
            "include/net/sock.h: sk_add_backlog";
        Prequeue: "Segments left for the waiting reader to process itself, in its own time; removed from the kernel in 4.14.",
            "include/net/tcp.h: tcp_prequeue", "v2.6.35";
        OutOfOrder: "TCP segments that came too early: they wait here until the gap before them is filled.",
            "net/ipv4/tcp_input.c: tcp_data_queue_ofo";
        ReceiveQueue: "Data ready to be read by the process, counted with the memory it occupies; SO_RCVBUF limits it.",
            "net/ipv4/tcp_input.c: tcp_queue_rcv";
        WriteQueue: "Data that TCP has not sent yet; before 4.15 also what is not acknowledged, since then in tcp_rtx_queue. SO_SNDBUF limits both.",
            "net/ipv4/tcp.c: tcp_sendmsg_locked";
        Qdisc: "Packets on their way out that wait in the device's queueing discipline, which decides which goes next.",
            "net/core/dev.c: dev_qdisc_enqueue";
        TxRing: "Frames that the driver has given to the NIC and the NIC has not sent yet.",
            "include/linux/netdevice.h: netdev_tx_sent_queue";
        RunQueue: "Tasks that could run on this CPU and wait for their turn.",
            "kernel/sched/core.c: enqueue_task";
    })
}
