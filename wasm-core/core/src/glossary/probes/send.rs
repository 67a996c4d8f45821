//! Sending, from the process to the link, and the two ways in which a packet's
//! memory is given back. `ndo_start_xmit` stands for the driver's own function;
//! `wire_tx` is ours. One tracepoint is younger than v6.12 and was read in v6.18.

entries! {
    SysSendto: "A process asks to send with send or sendto.",
        "net/socket.c: __sys_sendto";
    TcpSendmsg: "TCP takes the process's data and locks the socket.",
        "net/ipv4/tcp.c: tcp_sendmsg";
    TcpSendmsgLocked: "TCP copies the process's data into packets at the end of the socket's write queue.",
        "net/ipv4/tcp.c: tcp_sendmsg_locked", "v6.18";
    UdpSendmsg: "UDP takes the process's data, finds the route and has IP build the datagram.",
        "net/ipv4/udp.c: udp_sendmsg";
    TcpWriteXmit: "TCP sends from its write queue as much as the windows of receiver and network allow.",
        "net/ipv4/tcp_output.c: tcp_write_xmit";
    TcpTransmitSkb: "TCP writes the header of one segment and hands a copy to IP; the original waits for its acknowledgement.",
        "net/ipv4/tcp_output.c: __tcp_transmit_skb";
    TcpRetransmitSkb: "TCP sends a segment again because it was not acknowledged.",
        "net/ipv4/tcp_output.c: __tcp_retransmit_skb";
    TcpRetransmitSynack: "TCP repeats its answer to a connection request because the caller did not confirm it.",
        "net/ipv4/tcp_output.c: tcp_rtx_synack";
    TcpSendAck: "TCP sends a segment without data, only to acknowledge what it received.",
        "net/ipv4/tcp_output.c: tcp_send_ack";
    TcpSendReset: "TCP answers with a reset: there is no such connection, or it is ended at once.",
        "net/ipv4/tcp_ipv4.c: tcp_v4_send_reset";
    TcpDelackTimerHandler: "The timer of a delayed acknowledgement runs out: TCP sends it without waiting for data to go with it.",
        "net/ipv4/tcp_timer.c: tcp_delack_timer_handler";
    IpQueueXmit: "IP takes a TCP segment, finds the route and writes the IP header.",
        "net/ipv4/ip_output.c: __ip_queue_xmit";
    IpSendSkb: "IP sends a complete datagram, for example one of UDP.",
        "net/ipv4/ip_output.c: ip_send_skb";
    IpLocalOut: "IP fills in length and checksum and takes a packet of this host through the firewall's output rules.",
        "net/ipv4/ip_output.c: __ip_local_out";
    IpOutput: "IP sends the packet to the device of its route, past the firewall's last hook.",
        "net/ipv4/ip_output.c: ip_output";
    IpDoFragment: "The packet is larger than the link allows: IP cuts it into fragments.",
        "net/ipv4/ip_output.c: ip_do_fragment";
    IpFinishOutput2: "IP finds the neighbour to send to, whose link address must be known or asked for.",
        "net/ipv4/ip_output.c: ip_finish_output2";
    DevQueueXmit: "The packet reaches the device layer, which chooses a transmit queue and its queueing discipline.",
        "net/core/dev.c: __dev_queue_xmit";
    NetDevQueue: "A packet to be sent is about to enter the device's queueing discipline, or to pass it by.",
        "net/core/dev.c: __dev_queue_xmit";
    QdiscEnqueue: "The packet is put into the device's queueing discipline.",
        "net/core/dev.c: dev_qdisc_enqueue";
    QdiscDequeue: "The queueing discipline gives out the next packet, or several at once.",
        "net/sched/sch_generic.c: dequeue_skb";
    QdiscReset: "A queueing discipline throws away all it holds, for example because its device goes down.",
        "net/sched/sch_generic.c: qdisc_reset";
    QdiscCreate: "A device gets a new queueing discipline.",
        "net/sched/sch_api.c: qdisc_create";
    QdiscDestroy: "A queueing discipline is removed.",
        "net/sched/sch_generic.c: __qdisc_destroy";
    SchDirectXmit: "The packet just taken from the queueing discipline goes to the driver, with the transmit queue locked.",
        "net/sched/sch_generic.c: sch_direct_xmit";
    DevHardStartXmit: "The device layer hands the packet, or a chain of them, to the driver; taps such as tcpdump see it here.",
        "net/core/dev.c: dev_hard_start_xmit";
    NetDevStartXmit: "The driver is about to be called with this packet; its offloads and segment count are on record.",
        "net/core/dev.c: xmit_one";
    NdoStartXmit: "The driver's own transmit function runs: it fills transmit descriptors and tells the NIC about them.",
        "include/linux/netdevice.h: net_device_ops.ndo_start_xmit";
    NetDevXmit: "The driver has answered: it took the packet or is busy; by now the packet may already be freed.",
        "net/core/dev.c: xmit_one";
    NetDevXmitTimeout: "A transmit queue has not moved for seconds: the kernel suspects that the NIC hangs and calls its driver.",
        "net/sched/sch_generic.c: dev_watchdog";
    WireTx: "Our word: a recording of the link shows this frame leaving the host; the kernel itself cannot see that moment.";
    ConsumeSkb: "A packet that has done its work is freed; this is no loss.",
        "net/core/skbuff.c: consume_skb";
    KfreeSkb: "A packet is freed without having reached its goal; the reason and the place in the kernel are on record.",
        "net/core/skbuff.c: sk_skb_reason_drop";
}
