//! Reasons in IP, ICMP and IPv6's neighbour discovery, on the way up and down.

entries! {
    PktTooSmall: "The packet is shorter than its protocol's header says or needs.",
        "net/ipv4/ip_input.c: ip_rcv_core";
    NetfilterDrop: "A firewall rule dropped the packet, or connection tracking had no room for its connection; see the rules' counters and the kernel's log.",
        "net/netfilter/core.c: nf_hook_slow";
    Otherhost: "The frame is addressed to another host; it is only seen because the device listens to all (promiscuous mode).",
        "net/ipv4/ip_input.c: ip_rcv_core";
    IpCsum: "The checksum of the IP header is wrong: the header was damaged on its way.",
        "net/ipv4/ip_input.c: ip_rcv_core";
    IpInhdr: "Something in the IP header is invalid, for example its version or its length.",
        "net/ipv4/ip_input.c: ip_rcv_core";
    IpRpfilter: "The reverse-path filter: an answer to this sender would leave by another device; see rp_filter.",
        "net/ipv4/ip_input.c: ip_rcv_finish_core";
    UnicastInL2Multicast: "The frame went to many hosts, but the IP packet in it is addressed to a single one.",
        "net/ipv4/ip_input.c: ip_rcv_finish_core";
    XfrmPolicy: "An IPsec policy does not allow the packet, for example because it should have come encrypted.",
        "net/ipv4/ip_input.c: ip_protocol_deliver_rcu";
    IpNoproto: "Nothing on this host handles the protocol that the IP header names.",
        "net/ipv4/ip_input.c: ip_protocol_deliver_rcu";
    IpOutnoroutes: "There is no route to the destination for a packet that is to be sent; check the routing table.",
        "net/ipv4/ip_output.c: __ip_queue_xmit";
    BpfCgroupEgress: "A BPF program attached to the process's control group refused to let the packet out.",
        "net/ipv4/ip_output.c: ip_finish_output";
    Ipv6disabled: "IPv6 is switched off on this device.",
        "net/ipv6/ip6_input.c: ip6_rcv_core";
    IcmpCsum: "The checksum of the ICMP message is wrong: it was damaged on its way.",
        "net/ipv4/icmp.c: icmp_rcv";
    InvalidProto: "The message breaks its protocol's rules, for example an ICMP echo request to a broadcast address.",
        "net/ipv4/icmp.c: icmp_rcv";
    IpInaddrerrors: "A packet from outside is for an address that this host cannot or must not reach.",
        "net/ipv4/route.c: ip_error";
    IpInnoroutes: "A packet from outside is for a network to which this host has no route.",
        "net/ipv4/route.c: ip_error";
    IpLocalSource: "A packet from outside carries one of this host's own addresses as its sender.",
        "net/ipv4/fib_frontend.c: __fib_validate_source", "v6.18";
    IpInvalidSource: "The sender's address cannot be a sender's, for example a multicast address.",
        "net/ipv4/route.c: ip_route_input_slow", "v6.18";
    IpLocalnet: "A packet from outside carries a loopback address (127.x.x.x), which must not leave a host.",
        "net/ipv4/route.c: ip_route_input_slow", "v6.18";
    IpInvalidDest: "The destination cannot be one, for example the address 0.0.0.0.",
        "net/ipv4/route.c: ip_route_input_slow", "v6.18";
    PktTooBig: "The packet is larger than the next link allows and must not be cut; the sender should learn that by ICMP.",
        "net/ipv4/ip_forward.c: ip_forward";
    DupFrag: "This IP fragment was already there.",
        "net/ipv4/ip_fragment.c: ip_frag_queue";
    FragReasmTimeout: "The missing fragments of the datagram did not come in time; see net.ipv4.ipfrag_time.",
        "net/ipv4/ip_fragment.c: ip_expire";
    FragTooFar: "Too many packets from the sender came between two fragments; they may belong to different datagrams.",
        "net/ipv4/ip_fragment.c: ip_frag_reinit";
    Ipv6BadExthdr: "An extension header of the IPv6 packet is malformed.",
        "net/ipv6/icmp.c: icmpv6_notify";
    Ipv6NdiscFrag: "An IPv6 neighbour discovery message came in fragments, which is not allowed because it invites attacks.",
        "net/ipv6/ndisc.c: ndisc_rcv";
    Ipv6NdiscHopLimit: "An IPv6 neighbour discovery message does not come from this link: its hop limit is not 255.",
        "net/ipv6/ndisc.c: ndisc_rcv";
    Ipv6NdiscBadCode: "An IPv6 neighbour discovery message has a code that does not exist.",
        "net/ipv6/ndisc.c: ndisc_rcv";
    Ipv6NdiscBadOptions: "The options of an IPv6 neighbour discovery message are malformed.",
        "net/ipv6/ndisc.c: ndisc_recv_ns";
    Ipv6NdiscNsOtherhost: "An IPv6 neighbour solicitation asks for the address of another host.",
        "net/ipv6/ndisc.c: ndisc_recv_ns";
    ArpPvlanDisable: "An ARP request would be answered on the device it came from, which proxy_arp_pvlan does not allow.",
        "net/ipv4/route.c: __mkroute_input", "v6.18";
}
