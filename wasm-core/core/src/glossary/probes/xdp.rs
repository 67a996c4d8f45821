//! Frames before they are packets: what the driver's poll, an XDP program and the XDP send queue do
//! with them. `driver_xdp_xmit` is ours: each driver has a function of its own for it.

entries! {
    BpfProgRunXdp: "The NIC's XDP program has looked at a frame in its descriptor and says what becomes of it; there is no packet (sk_buff) yet.",
        "include/net/xdp.h: bpf_prog_run_xdp", "v6.1";
    BuildSkb: "The driver makes a packet (sk_buff) around the memory in which the frame lies.",
        "net/core/skbuff.c: build_skb";
    DriverXdpXmit: "The driver puts a frame that has no packet (sk_buff) on the NIC's XDP send queue (mlx5e_xmit_xdp_frame and its like).",
        "include/linux/netdevice.h: net_device_ops.ndo_xdp_xmit";
    XdpRedirect: "A frame is put with others that go out of another NIC; they leave together, at the end of the poll at the latest.",
        "net/core/filter.c: xdp_do_redirect";
    XdpDevmapXmit: "The frames that were redirected to a NIC are handed to its driver, as many as it has room for.",
        "kernel/bpf/devmap.c: bq_xmit_all";
    XdpException: "What an XDP program asked for was not possible: the frame is dropped.",
        "include/trace/events/xdp.h: xdp_exception";
    XdpReturnFrame: "The memory of a frame goes back to the NIC's pages: it was sent, or there was no room to send it.",
        "net/core/xdp.c: xdp_return_frame";
}
