//! Reasons in VXLAN and other tunnels, which carry frames inside UDP or IP packets.

entries! {
    VxlanInvalidHdr: "The header of the VXLAN tunnel is invalid, for example with flags that nobody understands.",
        "drivers/net/vxlan/vxlan_core.c: vxlan_rcv", "v6.18";
    VxlanVniNotFound: "No VXLAN device on this host has the network number (VNI) that the packet carries.",
        "drivers/net/vxlan/vxlan_core.c: vxlan_rcv", "v6.18";
    MacInvalidSource: "The frame's sender address cannot be a sender's, for example a multicast address.",
        "drivers/net/vxlan/vxlan_core.c: vxlan_snoop", "v6.18";
    VxlanEntryExists: "The frame's sender is entered by hand at another place of the tunnel and must not move.",
        "drivers/net/vxlan/vxlan_core.c: vxlan_snoop", "v6.18";
    NoTxTarget: "The tunnel knows no place to send a frame for this address to.",
        "drivers/net/vxlan/vxlan_core.c: vxlan_xmit", "v6.18";
    IpTunnelEcn: "The congestion marks of the tunnel's packet and of the packet in it contradict each other.",
        "drivers/net/vxlan/vxlan_core.c: vxlan_rcv", "v6.18";
    TunnelTxinfo: "The packet does not say where the tunnel should send it, and the device needs to be told.",
        "drivers/net/vxlan/vxlan_core.c: vxlan_xmit", "v6.18";
    LocalMac: "The frame's sender address is the receiving device's own: it came back by a loop.",
        "drivers/net/vxlan/vxlan_core.c: vxlan_set_mac", "v6.18";
}
