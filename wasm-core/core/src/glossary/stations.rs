//! What it means for a packet to be at each [`Station`].
//!
//! Each entry names the function that works there or puts packets there, read in
//! v6.12; TCP's prequeue was removed in v4.14 and was read in v2.6.35.

use super::Entry;
use crate::kernel::Station;

/// The entry of a station.
pub const fn station(station: Station) -> Entry {
    explain!(station, Station {
        Wire: "The frame is on the link, before the NIC has it; only a recording of the link itself can show this.";
        RxRing: "The frame lies in memory, in a descriptor of the NIC's receive ring, and waits for the driver to poll.",
            "include/linux/netdevice.h: napi_struct";
        Driver: "The NIC's driver takes the frame out of the ring and makes a packet (sk_buff) of it.",
            "net/core/dev.c: __napi_poll";
        Xdp: "The NIC's XDP program decides on the frame before there is a packet (sk_buff): drop it, send it back or elsewhere, or pass it on.",
            "include/net/xdp.h: bpf_prog_run_xdp", "v6.1";
        Gro: "Generic receive offload looks for packets of the same flow to merge, so that the layers above work once for many.",
            "net/core/gro.c: dev_gro_receive";
        NetCore: "The protocol-independent part of the stack hands the packet to taps such as tcpdump and then to its protocol.",
            "net/core/dev.c: __netif_receive_skb_core";
        Backlog: "The packet waits in the input queue of a CPU, put there by a virtual device or by steering to another CPU.",
            "net/core/dev.c: enqueue_to_backlog";
        Ip: "IP checks the header, looks up the route and decides: for this host, to be forwarded, or to be dropped.",
            "net/ipv4/ip_input.c: ip_rcv_core";
        Reassembly: "An IP fragment waits for the other pieces of its datagram.",
            "net/ipv4/ip_fragment.c: ip_defrag";
        Tcp: "TCP finds the connection, checks the sequence number, handles the acknowledgement and sorts the data in.",
            "net/ipv4/tcp_ipv4.c: tcp_v4_rcv";
        Udp: "UDP finds the socket by address and port and checks that the datagram fits in its buffer.",
            "net/ipv4/udp.c: udp_rcv";
        Transport: "TCP or UDP works on the packet; the 2005 toolkit's records do not say which of the two.",
            "net/ipv4/ip_input.c: ip_protocol_deliver_rcu";
        SocketBacklog: "The segment waits because a process holds the socket's lock; that process handles it when it lets go.",
            "net/ipv4/tcp_ipv4.c: tcp_add_backlog";
        Prequeue: "The segment waits for the reading process to run TCP over it; kernels since 4.14 have no prequeue.",
            "include/net/tcp.h: tcp_prequeue", "v2.6.35";
        OutOfOrder: "The segment came before its predecessors and waits for the gap to be filled.",
            "net/ipv4/tcp_input.c: tcp_data_queue_ofo";
        ReceiveQueue: "The data are in order and complete in the socket and wait for a process to read them.",
            "net/ipv4/tcp_input.c: tcp_queue_rcv";
        Process: "A process is reading: the kernel copies the data into the process's own memory.",
            "net/core/datagram.c: skb_copy_datagram_iter";
        SendCall: "A process has asked to send: the kernel begins to copy its data and to build packets.",
            "net/socket.c: __sys_sendto";
        WriteQueue: "The data are in the socket and wait until TCP's windows allow them to be sent.",
            "net/ipv4/tcp.c: tcp_sendmsg_locked";
        TcpSend: "TCP writes its header and sends a copy, keeping the original until it is acknowledged.",
            "net/ipv4/tcp_output.c: __tcp_transmit_skb";
        UdpSend: "UDP writes its header in front of the datagram.",
            "net/ipv4/udp.c: udp_send_skb";
        TransportSend: "TCP or UDP builds the packet; the 2005 toolkit's records do not say which of the two.",
            "net/ipv4/af_inet.c: inet_sendmsg";
        IpSend: "IP writes its header, passes the firewall, cuts what is too large into fragments and finds the next hop.",
            "net/ipv4/ip_output.c: ip_output";
        Qdisc: "The packet waits in the device's queueing discipline for its turn to be sent.",
            "net/core/dev.c: dev_qdisc_enqueue";
        DriverSend: "The NIC's driver writes descriptors that tell the NIC where in memory the packet lies.",
            "net/core/dev.c: dev_hard_start_xmit";
        TxRing: "The packet lies in memory until the NIC has fetched and sent it.",
            "include/linux/netdevice.h: netdev_tx_sent_queue";
        WireSend: "The frame is out on the link and has left this host.";
    })
}
