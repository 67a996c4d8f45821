//! Receiving, from the link through the device and the core up to IP. `wire_rx` and
//! `rx_missed` are ours: no tracepoint sees a frame enter or overflow the NIC.

entries! {
    WireRx: "Our word: a recording of the link shows this frame arriving at the NIC; the kernel itself cannot see that moment.";
    RxMissed: "Our word: the NIC found no free receive descriptor and lost this frame; the driver counts it as rx_missed_errors.",
        "include/uapi/linux/if_link.h: rtnl_link_stats64.rx_missed_errors";
    NapiGroReceive: "The driver gives a received packet to generic receive offload (GRO), which may merge it with others of its flow.",
        "net/core/gro.c: napi_gro_receive";
    NapiGroReceiveEntry: "A packet reaches generic receive offload (GRO); for a packet from a NIC this is often the first event.",
        "net/core/gro.c: napi_gro_receive";
    NapiGroReceiveExit: "GRO has decided: the packet was merged into another, is held back to wait for more, or goes on alone.",
        "net/core/gro.c: napi_gro_receive";
    NapiGroFragsEntry: "A packet reaches GRO from a driver that hands over bare memory pages and leaves the headers to GRO.",
        "net/core/gro.c: napi_gro_frags";
    NapiGroFragsExit: "GRO has decided about a packet that came as bare pages: merged, held back, or passed on.",
        "net/core/gro.c: napi_gro_frags";
    SkbGroReceive: "GRO hangs this packet's payload onto the packet of the same flow that it holds; they go on as one.",
        "net/core/gro.c: skb_gro_receive";
    NetifReceiveSkbEntry: "A driver hands one packet to the stack directly, without GRO.",
        "net/core/dev.c: netif_receive_skb";
    NetifReceiveSkbExit: "The call with which a driver handed one packet to the stack returns; its result is success or drop.",
        "net/core/dev.c: netif_receive_skb";
    NetifReceiveSkbListEntry: "A driver hands a whole list of packets to the stack; there is one such event for each packet of it.",
        "net/core/dev.c: netif_receive_skb_list";
    NetifReceiveSkbListExit: "The call with which a driver handed a list of packets to the stack returns.",
        "net/core/dev.c: netif_receive_skb_list";
    NetifReceiveSkbCore: "The core of receiving: taps such as tcpdump get the packet, VLANs and bridges are served, its protocol is chosen.",
        "net/core/dev.c: __netif_receive_skb_core";
    NetifReceiveSkb: "The stack begins to receive this packet, whether it came from GRO, from a list or out of a backlog.",
        "net/core/dev.c: __netif_receive_skb_core";
    NetifRxEntry: "A device without polling, such as loopback or veth, gives a packet to the stack, which is to queue it.",
        "net/core/dev.c: netif_rx";
    NetifRx: "The packet of a device without polling is about to go into the backlog of a CPU.",
        "net/core/dev.c: netif_rx_internal";
    NetifRxExit: "The call that gave a packet to a backlog returns; its result is success or drop.",
        "net/core/dev.c: netif_rx";
    EnqueueToBacklog: "The packet is put into a CPU's backlog, possibly another CPU's, and dropped if that is full.",
        "net/core/dev.c: enqueue_to_backlog";
    IpListRcv: "IP takes over a list of packets at once, which costs less than taking them one by one.",
        "net/ipv4/ip_input.c: ip_list_rcv";
    IpRcv: "IP takes over a single packet.",
        "net/ipv4/ip_input.c: ip_rcv";
    IpRcvCore: "IP checks the packet's header: version, lengths and checksum.",
        "net/ipv4/ip_input.c: ip_rcv_core";
    IpLocalDeliver: "The route says that the packet is for this host: it goes up, after reassembly if it is a fragment.",
        "net/ipv4/ip_input.c: ip_local_deliver";
    IpDefrag: "A fragment arrives at reassembly: IP looks up or starts the collection for its datagram.",
        "net/ipv4/ip_fragment.c: ip_defrag";
    InetFragQueueInsert: "The fragment is put in its place among the fragments of the same datagram.",
        "net/ipv4/inet_fragment.c: inet_frag_queue_insert";
    InetFragReasmFinish: "The last gap is filled: the fragments become one packet again, and only that one goes on.",
        "net/ipv4/inet_fragment.c: inet_frag_reasm_finish";
    InetFragKill: "The collection of a datagram's fragments is closed, because it is complete or because it was given up.",
        "net/ipv4/inet_fragment.c: inet_frag_kill";
    IpExpire: "The timer of an incomplete datagram runs out: its fragments are thrown away.",
        "net/ipv4/ip_fragment.c: ip_expire";
    IpProtocolDeliverRcu: "IP hands the packet to the protocol that its header names: TCP, UDP, ICMP or another.",
        "net/ipv4/ip_input.c: ip_protocol_deliver_rcu";
    IcmpSend: "The host answers a packet with an ICMP error message, for example that no socket listens on the port.",
        "net/ipv4/icmp.c: __icmp_send";
}
