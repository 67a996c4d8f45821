//! Reasons at the device: neighbours, queueing disciplines, traffic control, the
//! backlog, XDP, and virtual devices of the tun, bridge and CAN kind.

entries! {
    NeighCreatefail: "The kernel could not make an entry for the next hop in its neighbour (ARP) table.",
        "net/ipv4/ip_output.c: ip_finish_output2";
    NeighFailed: "The next hop did not answer when asked for its link address (ARP); it may be switched off.",
        "net/ipv4/arp.c: arp_error_report";
    NeighQueuefull: "Too many packets wait for the next hop's link address (ARP); see unres_qlen_bytes.",
        "net/core/neighbour.c: __neigh_event_send";
    NeighDead: "The next hop's entry in the neighbour (ARP) table is being removed.",
        "net/core/neighbour.c: __neigh_event_send";
    NeighHhFillfail: "The header of the link layer could not be written in front of the packet.",
        "net/core/neighbour.c: neigh_resolve_output", "v6.18";
    TcEgress: "A traffic control program or rule for outgoing packets dropped it; look at tc filter show egress.",
        "net/core/dev.c: sch_handle_egress";
    QdiscDrop: "The device's queueing discipline refused the packet, most often because it is full; see tc -s qdisc.",
        "net/core/dev.c: __dev_xmit_skb";
    QdiscOverlimit: "The queueing discipline holds as much as its limit allows; see tc -s qdisc.",
        "net/sched/sch_codel.c: codel_qdisc_enqueue", "v6.18";
    QdiscCongested: "The queueing discipline drops on purpose, because packets wait too long, so that senders slow down.",
        "net/sched/sch_codel.c: drop_func", "v6.18";
    CakeFlood: "CAKE's protection against floods drops at random from a flow that does not slow down.",
        "net/sched/sch_cake.c: cobalt_should_drop", "v6.18";
    FqBandLimit: "One of the fair queue's three priority bands holds as many packets as it may.",
        "net/sched/sch_fq.c: fq_enqueue", "v6.18";
    FqHorizonLimit: "The packet asks to be sent at a time further ahead than the fair queue plans.",
        "net/sched/sch_fq.c: fq_enqueue", "v6.18";
    FqFlowLimit: "One flow has as many packets in the fair queue as a flow may have.",
        "net/sched/sch_fq.c: fq_enqueue", "v6.18";
    Dualpi2StepDrop: "The packet waited longer in DualPI2's low-latency queue than its fixed limit allows.",
        "net/sched/sch_dualpi2.c: dualpi2_qdisc_dequeue", "v6.18";
    CpuBacklog: "A CPU's backlog is full: it cannot keep up; spread the load or raise net.core.netdev_max_backlog.",
        "net/core/dev.c: enqueue_to_backlog";
    Xdp: "An XDP program, which sees packets before the rest of the stack, decided to drop it.",
        "net/core/dev.c: do_xdp_generic";
    TcIngress: "A traffic control program or rule for incoming packets dropped it; look at tc filter show ingress.",
        "net/core/dev.c: sch_handle_ingress";
    UnhandledProto: "Nothing on this host handles frames of this kind.",
        "net/core/dev.c: __netif_receive_skb_core";
    SkbCsum: "A checksum over the packet could not be computed or does not match.",
        "drivers/net/tap.c: tap_handle_frame";
    SkbGsoSeg: "A large packet could not be cut into segments.",
        "drivers/net/tap.c: tap_handle_frame";
    DevHdr: "The header that goes with packets of this virtual device is invalid.",
        "drivers/net/tap.c: tap_get_user";
    DevReady: "The device is down or not completely set up.",
        "net/core/dev.c: enqueue_to_backlog";
    FullRing: "The ring between a virtual device and its reader, such as a virtual machine, is full: the reader is too slow.",
        "drivers/net/tun.c: tun_net_xmit";
    HdrTrunc: "The packet is too short to hold the header that must be there.",
        "drivers/net/tun.c: tun_get_user";
    TapFilter: "A filter program attached to the tun or tap device refused the packet.",
        "drivers/net/tun.c: tun_net_xmit";
    TapTxfilter: "The tap device's address filter refused the packet.",
        "drivers/net/tun.c: tun_net_xmit";
    TcCookieError: "Traffic control begun in hardware could not be continued in software at the same rule.",
        "net/sched/cls_api.c: tcf_classify";
    TcChainNotfound: "A traffic control rule points to a chain of rules that does not exist.",
        "net/sched/cls_api.c: tcf_classify";
    TcReclassifyLoop: "Traffic control rules send the packet round in a circle.",
        "net/sched/cls_api.c: __tcf_classify";
    MacIeeeMacControl: "A frame for the link itself, such as a pause frame, reached a bridge, which must not pass it on.",
        "net/bridge/br_input.c: br_handle_frame", "v6.18";
    BridgeIngressStpState: "The bridge's port is not open for traffic, as the spanning tree protocol has decided or not decided yet.",
        "net/bridge/br_input.c: br_handle_frame_finish", "v6.18";
    CanRxInvalidFrame: "What arrived as a CAN frame is not a valid one.",
        "net/can/af_can.c: can_rcv", "v6.18";
    CanfdRxInvalidFrame: "What arrived as a CAN FD frame is not a valid one.",
        "net/can/af_can.c: canfd_rcv", "v6.18";
    CanxlRxInvalidFrame: "What arrived as a CAN XL frame is not a valid one.",
        "net/can/af_can.c: canxl_rcv", "v6.18";
    RecursionLimit: "Virtual devices pass the packet round among themselves; the kernel breaks the loop after some rounds.",
        "net/core/dev.c: __dev_queue_xmit", "v6.18";
}
