//! Where a kernel drops packets: the functions that `skb:kfree_skb` names as its place.

use serde::Deserialize;

/// The functions in which a kernel drops packets, by what there is no room or use for.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DropFunctions {
    /// A CPU's backlog is full.
    pub backlog: String,
    /// The queue of a device is full.
    pub device_queue: String,
    /// It is for another host.
    pub other_host: String,
    /// A rule of netfilter drops it; nothing where none of its rules are modelled.
    #[serde(default)]
    pub netfilter: String,
    /// The pieces of a datagram did not all come in time.
    pub reassembly: String,
    /// A piece comes when those that wait have all the memory; nothing where the oldest datagram goes instead.
    #[serde(default)]
    pub reassembly_memory: String,
    /// A piece comes that is there already.
    pub duplicate_fragment: String,
    /// No socket is there for it.
    pub no_socket: String,
    /// The checksum of a segment is wrong.
    pub tcp_checksum: String,
    /// That of a datagram is, where UDP sums it.
    pub udp_checksum: String,
    /// That of a datagram is, where its reader sums it.
    pub udp_checksum_read: String,
    /// A datagram finds its socket's buffer full.
    pub datagram_buffer: String,
    /// A SYN finds the queue of its listening socket full.
    pub connection_request: String,
    /// The ACK that ends a handshake finds it full.
    pub accept_queue: String,
}
