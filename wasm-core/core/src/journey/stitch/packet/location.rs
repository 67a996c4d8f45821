//! The function that frees a packet, as the location in `consume_skb` and `kfree_skb` names it (since v6.3).

/// Prefixes of functions that free an `sk_buff` which is not a packet, without the underscores of inner functions.
const OF_OTHERS: [&str; 7] = [
    "unix_",
    "netlink_",
    "vsock_",
    "virtio_transport_",
    "msg_zerocopy_callback",
    "neigh_event_send",
    "neigh_probe",
];

/// Whether what the function at this location frees is not a packet.
pub fn frees_others(location: &str) -> bool {
    let function = location.trim_start_matches('_');
    OF_OTHERS.iter().any(|kind| function.starts_with(kind))
}
