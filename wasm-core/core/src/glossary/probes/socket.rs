//! Sockets and the process that reads: waking, system calls, copying, releasing.

entries! {
    SockDefReadable: "The socket has something to read: the kernel wakes the tasks that wait for it.",
        "net/core/sock.c: sock_def_readable";
    SkDataReady: "The socket tells whoever waits for it, a sleeping reader or a poll, that data are there.",
        "net/core/sock.c: sock_def_readable";
    SockRcvqueueFull: "A packet finds the socket's receive buffer full and is not queued.",
        "net/core/sock.c: __sock_queue_rcv_skb";
    SockExceedBufLimit: "A socket asks for more buffer memory than its protocol may use, and the kernel refuses.",
        "net/core/sock.c: __sk_mem_raise_allocated";
    SockRecvLength: "A process's request to read from a socket ends; the length is what it got, or an error number.",
        "net/socket.c: sock_recvmsg_nosec";
    SockSendLength: "A process's request to send on a socket ends; the length is what was taken, or an error number.",
        "net/socket.c: sock_sendmsg_nosec";
    SysEnter: "A process enters the kernel with a system call.",
        "kernel/entry/common.c: syscall_trace_enter";
    SysExit: "A system call is done, and the process is about to go on with its own code.",
        "kernel/entry/common.c: syscall_exit_work";
    SysRecvfrom: "A process asks to read from a socket with recv or recvfrom.",
        "net/socket.c: __sys_recvfrom";
    SysRecvfromRet: "The process's recv or recvfrom is done; the result is the number of bytes, or an error number.",
        "net/socket.c: __sys_recvfrom";
    TcpRecvmsg: "TCP begins to serve a read: it locks the socket and looks into its receive queue.",
        "net/ipv4/tcp.c: tcp_recvmsg";
    TcpRecvmsgRet: "TCP has served a read; the result is the number of bytes copied, or an error number.",
        "net/ipv4/tcp.c: tcp_recvmsg";
    UdpRecvmsg: "UDP begins to serve a read: it looks for the next datagram.",
        "net/ipv4/udp.c: udp_recvmsg";
    UdpRecvmsgRet: "UDP has served a read; the result is the number of bytes copied, or an error number.",
        "net/ipv4/udp.c: udp_recvmsg";
    SkbRecvUdpRet: "UDP has taken the next datagram out of the queue for the reader, or has found none.",
        "net/ipv4/udp.c: __skb_recv_udp";
    SkbWaitForMorePackets: "The reader finds no datagram and goes to sleep until one arrives or its time is up.",
        "net/core/datagram.c: __skb_wait_for_more_packets";
    SkWaitData: "The reader of a TCP connection finds too little data and goes to sleep until more arrive.",
        "net/core/sock.c: sk_wait_data";
    SkbCopyDatagramIter: "The kernel copies a packet's data into the memory of the process that reads.",
        "net/core/datagram.c: skb_copy_datagram_iter";
    SkbCopyDatagramIovec: "Data are being copied to the reader; the tracepoint keeps the name of a function that is gone since 3.19.",
        "net/core/datagram.c: skb_copy_datagram_iter";
    SkbConsumeUdp: "The reader is done with the datagram: it is freed and its memory goes back to the socket's budget.",
        "net/ipv4/udp.c: skb_consume_udp";
    UdpRmemRelease: "UDP gives back the memory of datagrams that were read, so that new ones fit into the receive buffer.",
        "net/ipv4/udp.c: udp_rmem_release";
    TcpCleanupRbuf: "After a read TCP decides whether to send an acknowledgement that tells of the room gained.",
        "net/ipv4/tcp.c: tcp_cleanup_rbuf";
    TcpRcvSpaceAdjust: "After a read TCP measures how fast the process reads, to fit the receive buffer to it.",
        "net/ipv4/tcp_input.c: tcp_rcv_space_adjust";
    ReleaseSock: "A process lets go of the socket's lock; segments that came meanwhile are processed first.",
        "net/core/sock.c: release_sock";
    ReleaseSockBacklog: "The process that held the socket's lock now processes the segments that piled up in the backlog.",
        "net/core/sock.c: __release_sock";
    InetSockSetState: "A connection moves to another TCP state, for example from SYN-SENT to ESTABLISHED.",
        "net/ipv4/af_inet.c: inet_sk_set_state";
    InetSkErrorReport: "The socket reports an error to its process, for example that the other side reset the connection.",
        "net/core/sock.c: sk_error_report";
    TcpDestroySock: "TCP frees what it kept for a connection that is over.",
        "net/ipv4/tcp_ipv4.c: tcp_v4_destroy_sock";
}
