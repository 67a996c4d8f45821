//! The ten ids of the 2005 toolkit: the sentence says what its probe saw, the
//! function is where that place is in a current kernel.
//!
//! Thirteen names share the ten ids, as TCP and UDP have one for a layer boundary.

entries! {
    TpsSocket: "2005 probe 1: the process's system call to send reaches the socket layer.",
        "net/socket.c: __sys_sendto";
    TpsSocketTrans: "2005 probe 2: the socket layer hands the data to TCP or UDP.",
        "net/ipv4/af_inet.c: inet_sendmsg";
    TpsTransIp: "2005 probe 3: TCP or UDP hands the packet to IP; today in __tcp_transmit_skb for TCP and udp_send_skb for UDP.",
        "net/ipv4/tcp_output.c: __tcp_transmit_skb";
    TpsIpNet: "2005 probe 4: IP hands the packet to the network device layer.",
        "net/ipv4/ip_output.c: ip_finish_output2";
    TpsNet: "2005 probe 5: the device layer hands the packet to the NIC's driver.",
        "net/core/dev.c: xmit_one";
    TprNet: "2005 probe 6: the device layer begins to receive the packet.",
        "net/core/dev.c: __netif_receive_skb_core";
    TprNetIp: "2005 probe 7: the device layer has handed the packet to IP.",
        "net/ipv4/ip_input.c: ip_rcv";
    TprIpTrans: "2005 probe 8: IP has handed the packet to TCP or UDP; today in tcp_v4_rcv and udp_rcv.",
        "net/ipv4/tcp_ipv4.c: tcp_v4_rcv";
    TprTransSocket: "2005 probe 9: TCP or UDP has put the data into a queue of the socket, in its time also the prequeue or backlog.",
        "net/ipv4/tcp_input.c: tcp_queue_rcv";
    TprSocket: "2005 probe 10: the process's system call to read has the data.",
        "net/core/datagram.c: skb_copy_datagram_iter";
}
