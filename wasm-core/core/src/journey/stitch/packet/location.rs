//! The function that frees a packet, as the location in `consume_skb` and `kfree_skb` names it (since v6.3): the one
//! way to read it, and the functions of which it matters.
//!
//! A function is compared by its whole name, or counts among a family by the beginning of its name.

use crate::kernel::{EventIdx, Field};
use crate::run::Run;

/// The function that the event names as the one that frees, without the offset in it and without the suffixes that
/// compilers append to variants of a function (`.isra.0`, `.part.0`, `.constprop.0`, `.cold`). `None` where the event
/// gives no location or a bare address: v6.1 prints a hashed pointer, as perf and trace-cmd do with `0x` where they know
/// no symbols.
pub fn freeing_function(run: &Run, index: EventIdx) -> Option<&str> {
    function(run.field_name(index, Field::Location)?)
}

fn function(location: &str) -> Option<&str> {
    let digits = location.strip_prefix("0x").unwrap_or(location);
    let is_address = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let name = location.split(['+', '.']).next();
    name.filter(|_| !is_address)
}

/// Whether a function is of a family.
fn is_of(family: &[&str], function: &str) -> bool {
    family.iter().any(|begin| function.starts_with(begin))
}

/// Families of functions that free an `sk_buff` which is not a packet, without the underscores of inner functions.
const OF_OTHERS: [&str; 7] = [
    "unix_",
    "netlink_",
    "vsock_",
    "virtio_transport_",
    "msg_zerocopy_callback",
    "neigh_event_send",
    "neigh_probe",
];

/// Whether what this function frees is not a packet.
pub fn frees_others(function: &str) -> bool {
    is_of(&OF_OTHERS, function.trim_start_matches('_'))
}

/// Functions that free what waits for a neighbour's address when they give that neighbour up (`net/core/neighbour.c`,
/// v6.18).
const OF_NEIGHBOURS: [&str; 3] = ["neigh_destroy", "neigh_flush_dev", "neigh_invalidate"];

/// Whether this function drops packets that were to be sent and waited for their neighbour's address. It names no reason
/// of its own.
pub fn gives_neighbour_up(function: &str) -> bool {
    OF_NEIGHBOURS.contains(&function)
}

/// Functions besides those named `*_recvmsg` that free what a task has read from a datagram socket
/// (`net/core/datagram.c`, `net/ipv4/udp.c`, v6.18).
const SOCKET_READERS: [&str; 5] = [
    "skb_free_datagram",
    "__skb_free_datagram_locked",
    "skb_consume_udp",
    "__consume_stateless_skb",
    "consume_stateless_skb",
];

/// Functions in which the readers of tun and tap devices free what they have copied (`drivers/net/tun.c`, `tap.c`,
/// v6.12).
const DEVICE_READERS: [&str; 2] = ["tun_do_read", "tap_do_read"];

/// Whether a task that reads a tun or tap device frees in this function.
pub fn is_of_device_reader(function: &str) -> bool {
    DEVICE_READERS.contains(&function)
}

/// Whether a task frees what it has read in this function.
pub fn is_of_reader(function: &str) -> bool {
    function.ends_with("_recvmsg")
        || SOCKET_READERS.contains(&function)
        || is_of_device_reader(function)
}

/// Whether this function frees what the reader of a packet socket, a tun or tap device or a stream has read, which was
/// in no datagram socket's queue.
pub fn is_of_other_reader(function: &str) -> bool {
    function == "packet_recvmsg" || is_of_device_reader(function) || is_of_tcp(function)
}

/// Functions that segment a packet into datagrams and free it (`net/ipv4/udp.c`, v6.18).
const SEGMENTING: [&str; 2] = ["udp_queue_rcv_skb", "udpv6_queue_rcv_skb"];

/// Whether this function segments a packet into datagrams, which follow.
pub fn segments_datagram(function: &str) -> bool {
    SEGMENTING.contains(&function)
}

/// Families of functions that drop an incoming datagram in UDP.
const UDP_RECEIVES: [&str; 4] = [
    "__udp4_lib",
    "__udp6_lib",
    "udp_queue_rcv",
    "udpv6_queue_rcv",
];

/// Whether UDP drops an incoming datagram in this function.
pub fn refuses_datagram(function: &str) -> bool {
    is_of(&UDP_RECEIVES, function)
}

/// Functions in which a packet socket frees its share on reception (`net/packet/af_packet.c`).
const PACKET_SOCKETS: [&str; 2] = ["packet_rcv", "tpacket_rcv"];

/// Whether a packet socket frees its share on reception in this function.
pub fn is_of_packet_socket(function: &str) -> bool {
    PACKET_SOCKETS.contains(&function)
}

/// Families of functions that free a clone, made for one of several receivers: packet, raw and ping sockets, and those of
/// a multicast group (`net/ipv4/raw.c: raw_v4_input`, `net/ipv4/udp.c: __udp4_lib_mcast_deliver`, v6.18).
const CLONES: [&str; 8] = [
    "packet_rcv",
    "tpacket_rcv",
    "run_filter",
    "raw_",
    "rawv6_",
    "ping_",
    "__udp4_lib_mcast",
    "__udp6_lib_mcast",
];

/// Whether what this function frees may be a clone of a packet that goes on.
pub fn frees_clones(function: &str) -> bool {
    is_of(&CLONES, function)
}

/// Families of functions that drop a packet on reception, before a socket has it.
const RECEIVES: [&str; 9] = [
    "ip_rcv",
    "ip6_rcv",
    "ip_local_deliver",
    "ip_protocol_deliver",
    "ip6_protocol_deliver",
    "__udp4_lib_rcv",
    "__udp6_lib_rcv",
    "tcp_v4_rcv",
    "tcp_v6_rcv",
];

/// Whether this function drops a packet on reception, before a socket has it.
pub fn drops_what_comes(function: &str) -> bool {
    is_of(&RECEIVES, function)
}

/// Functions in which a broadcast or multicast packet ends that nobody on this host, or in this network namespace, listens
/// to: UDP counts it as ignored (`net/ipv4/udp.c: __udp4_lib_mcast_deliver`, `UDP_MIB_IGNOREDMULTI`, mostly inlined in its
/// caller, which gives all its drops a reason but those of an IPsec policy), IPv6 does not count it (`net/ipv6/ip6_input.c:
/// ip6_mc_input`, v6.18).
const IGNORING: [&str; 5] = [
    "__udp4_lib_mcast_deliver",
    "__udp6_lib_mcast_deliver",
    "__udp4_lib_rcv",
    "__udp6_lib_rcv",
    "ip6_mc_input",
];

/// Whether what this function frees without a reason is a packet to many that nobody here listens to.
pub fn ignores_packet_to_many(function: &str) -> bool {
    IGNORING.contains(&function)
}

/// Families of functions that consume a packet on reception; no socket is needed.
const HANDLERS: [&str; 3] = ["icmp_rcv", "icmpv6_rcv", "igmp_rcv"];

/// Whether this function consumes a packet on reception, without a socket.
pub fn consumes_what_comes(function: &str) -> bool {
    is_of(&HANDLERS, function)
}

/// The family of functions that destroy a UDP socket (`net/ipv4/udp.c: udp_destruct_common`, v6.18;
/// `udp_destruct_sock` before v6.1).
const UDP_DESTRUCT: &str = "udp_destruct";

/// Whether this function frees the datagrams in the queue of a socket that is destroyed.
pub fn destroys_udp_socket(function: &str) -> bool {
    function.starts_with(UDP_DESTRUCT)
}

/// Whether this function is TCP's.
pub fn is_of_tcp(function: &str) -> bool {
    is_of(&["tcp_", "sk_stream_"], function)
}

/// Families of functions in which a tunnel device drops what it was to send (`net/ipv4/ip_tunnel.c: ip_tunnel_xmit`,
/// `ip_gre.c`, `net/ipv6/ip6_tunnel.c`, `sit.c`, `drivers/net/vxlan`, `geneve.c`, v6.18).
const TUNNELS: [&str; 13] = [
    "ip_tunnel_",
    "ip_md_tunnel_",
    "ipgre_",
    "gre_tap_",
    "gre_fb_",
    "erspan_",
    "ipip_",
    "vti_",
    "ip6_tnl_",
    "ip6gre_",
    "sit_",
    "vxlan_",
    "geneve_",
];

/// Whether this function is a tunnel device's.
pub fn is_of_tunnel(function: &str) -> bool {
    is_of(&TUNNELS, function)
}

/// Whether this function is the token bucket's (`net/sched/sch_tbf.c`).
pub fn is_of_token_bucket(function: &str) -> bool {
    is_of(&["tbf_"], function)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kernel 6.1, as ftrace prints it, hashed or not, and as perf and trace-cmd do.
    #[test]
    fn a_bare_address_names_no_function() {
        for address in ["00000000a1b2c3d4", "ffffffff8190db88", "0xffffffff8190db88"] {
            assert_eq!(function(address), None, "{address}");
        }
        assert_eq!(function("__udp4_lib_rcv+0x4bc"), Some("__udp4_lib_rcv"));
    }

    #[test]
    fn a_location_is_read_without_offset_and_compilers_suffixes() {
        for (location, name) in [
            ("tcp_rcv_state_process", "tcp_rcv_state_process"),
            ("tcp_v4_rcv+0x1c4/0x1010", "tcp_v4_rcv"),
            ("ip_rcv_core.isra.0+0x2a/0x2f0", "ip_rcv_core"),
            ("tun_do_read.part.0+0x71/0x5d0 [tun]", "tun_do_read"),
            ("packet_rcv.constprop.0.cold", "packet_rcv"),
        ] {
            assert_eq!(function(location), Some(name));
        }
    }
}
