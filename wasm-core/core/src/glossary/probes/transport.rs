//! Receiving in TCP and UDP, up to the socket's queue. TCP's prequeue was removed
//! in v4.14 and was read in v2.6.35; one tracepoint is younger than v6.12 (v6.18).

entries! {
    TcpV4Rcv: "TCP gets the packet: it checks header and checksum and looks up the connection by addresses and ports.",
        "net/ipv4/tcp_ipv4.c: tcp_v4_rcv";
    TcpV4DoRcv: "TCP works on the segment with the socket locked, in the softirq or later for the process that held the lock.",
        "net/ipv4/tcp_ipv4.c: tcp_v4_do_rcv";
    TcpRcvEstablished: "A segment of an open connection is processed; the next segment in order takes a short path.",
        "net/ipv4/tcp_input.c: tcp_rcv_established";
    TcpRcvStateProcess: "A segment of a connection that opens or closes is processed according to TCP's state diagram.",
        "net/ipv4/tcp_input.c: tcp_rcv_state_process";
    TcpProbe: "TCP processes a segment of an open connection and records its windows, sequence numbers and round-trip time.",
        "net/ipv4/tcp_input.c: tcp_rcv_established";
    TcpAck: "TCP takes the acknowledgement in this segment: data that arrived are released, and more may be sent.",
        "net/ipv4/tcp_input.c: tcp_ack";
    TcpDataQueue: "TCP decides what to do with the segment's data: queue them, keep them for later or throw them away.",
        "net/ipv4/tcp_input.c: tcp_data_queue";
    TcpQueueRcv: "The segment's data are next in order and join the socket's receive queue.",
        "net/ipv4/tcp_input.c: tcp_queue_rcv";
    TcpTryCoalesce: "TCP tries to hang the segment's data onto the last packet in the queue, to save memory.",
        "net/ipv4/tcp_input.c: tcp_try_coalesce";
    TcpPrequeue: "The segment is left to the process that waits to read, which runs TCP over it itself; removed in 4.14.",
        "include/net/tcp.h: tcp_prequeue", "v2.6.35";
    TcpAddBacklog: "A process holds the socket's lock, so the segment goes to the socket's backlog, or is dropped if that is full.",
        "net/ipv4/tcp_ipv4.c: tcp_add_backlog";
    TcpCollapse: "Memory is short: TCP copies the data of many half-empty packets in a queue together.",
        "net/ipv4/tcp_input.c: tcp_collapse";
    TcpDataReady: "TCP checks whether there is enough to read and if so tells the socket to wake its reader.",
        "net/ipv4/tcp_input.c: tcp_data_ready";
    TcpBadCsum: "The segment's TCP checksum is wrong: it was damaged on its way and is dropped.",
        "net/ipv4/tcp_ipv4.c: tcp_v4_rcv";
    TcpReceiveReset: "The other side has reset the connection: TCP ends it at once and reports an error to the process.",
        "net/ipv4/tcp_input.c: tcp_reset";
    TcpRcvbufGrow: "TCP finds that the process reads faster than before and may give the connection a larger receive buffer.",
        "net/ipv4/tcp_input.c: tcp_rcv_space_adjust", "v6.18";
    TcpCongStateSet: "The congestion state of the connection changes: Open, Disorder, CWR, Recovery or Loss.",
        "net/ipv4/tcp_cong.c: tcp_set_ca_state";
    UdpRcv: "UDP gets the packet: it checks length and checksum and looks up the socket by addresses and ports.",
        "net/ipv4/udp.c: udp_rcv";
    UdpQueueRcvSkb: "UDP has found the socket; a packet that GRO merged is cut into single datagrams again if it must be.",
        "net/ipv4/udp.c: udp_queue_rcv_skb";
    UdpQueueRcvOneSkb: "UDP passes one datagram through the socket's filters and security checks.",
        "net/ipv4/udp.c: udp_queue_rcv_one_skb";
    UdpEnqueueScheduleSkb: "UDP puts the datagram into the socket's receive queue if the receive buffer has room for it.",
        "net/ipv4/udp.c: __udp_enqueue_schedule_skb";
    UdpEnqueueScheduleSkbRet: "UDP's attempt to queue the datagram returns: 0 if it is queued, an error if there was no room.",
        "net/ipv4/udp.c: __udp_enqueue_schedule_skb";
    UdpFailQueueRcvSkb: "UDP could not queue the datagram, most often because the socket's receive buffer is full, and drops it.",
        "net/ipv4/udp.c: __udp_queue_rcv_skb";
}
