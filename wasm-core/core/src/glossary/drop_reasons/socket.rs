//! Reasons at the socket, and those that say little about the place.

entries! {
    NotSpecified: "The kernel names no reason here; in old drivers this is often a sent packet being freed, not a loss.",
        "net/core/skbuff.c: __kfree_skb";
    NoSocket: "No socket is open for this address and port; check that the program runs and listens where it is called.",
        "net/ipv4/udp.c: __udp4_lib_rcv";
    SocketClose: "The socket was closed while the packet was still waiting in its queue.",
        "net/unix/af_unix.c: unix_release_sock", "v6.18";
    SocketFilter: "A filter program attached to the socket refused the packet.",
        "net/core/sock.c: sock_queue_rcv_skb_reason";
    SocketRcvbuff: "The socket's receive buffer is full: the process reads too slowly; read faster or raise SO_RCVBUF.",
        "net/ipv4/udp.c: __udp_queue_rcv_skb";
    UnixDisconnect: "A Unix socket was connected to another peer or lost its own, and what waited in its queue was thrown away.",
        "net/unix/af_unix.c: unix_dgram_disconnected", "v6.18";
    UnixSkipOob: "A reader of a Unix socket passed over an urgent (out-of-band) byte without asking for it.",
        "net/unix/af_unix.c: manage_oob", "v6.18";
    ProtoMem: "TCP or UDP as a whole uses as much memory as it may; see net.ipv4.tcp_mem and udp_mem.",
        "net/ipv4/udp.c: __udp_queue_rcv_skb";
    SocketBacklog: "A process holds the socket's lock for so long that the backlog, which fills meanwhile, is full.",
        "net/ipv4/tcp_ipv4.c: tcp_add_backlog";
    SecurityHook: "A security module, such as SELinux, refused the packet or the connection.",
        "net/ipv4/syncookies.c: cookie_v4_check";
    SkbUcopyFault: "The packet's data could not be copied from a process's memory.",
        "drivers/net/tun.c: tun_get_user";
    QueuePurge: "A queue was emptied at once, for example because its socket or device was closed; this is seldom a real loss.",
        "include/linux/skbuff.h: skb_queue_purge";
    PacketSockError: "A packet socket, such as tcpdump's, had no room for its copy; the packet itself goes on.",
        "net/packet/af_packet.c: tpacket_rcv";
    Pfmemalloc: "The packet used memory that is reserved for freeing memory, and its socket does not serve that purpose.",
        "net/core/filter.c: sk_filter_trim_cap", "v6.18";
    Nomem: "The kernel could not get the memory it needed to go on with the packet.",
        "drivers/net/tun.c: tun_net_xmit";
    RxRingFull: "Our word: the NIC had no free receive descriptor; poll sooner, give it more CPU or a larger ring (ethtool -G).",
        "include/uapi/linux/if_link.h: rtnl_link_stats64.rx_missed_errors";
    Unrecognised: "Our word: the kernel named a reason that Ringside does not know; the event's line has its spelling.";
}
