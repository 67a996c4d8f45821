//! Lengths of headers, and the numbers that headers carry. All lengths are in bytes.

/// The IP protocol number of TCP (IANA).
pub const TCP: u8 = 6;
/// The IP protocol number of UDP (IANA).
pub const UDP: u8 = 17;

/// The ethertype of ARP.
pub const ETH_P_ARP: u32 = 0x0806;
/// The ethertype of IPv4.
pub const ETH_P_IP: u32 = 0x0800;
/// The ethertype of IPv6 (`include/uapi/linux/if_ether.h`).
pub const ETH_P_IPV6: u32 = 0x86dd;

/// Length of an Ethernet header (IEEE 802.3).
pub const LINK_HEADER: u32 = 14;

/// What the shortest Ethernet frame carries, padding counted (`include/uapi/linux/if_ether.h: ETH_ZLEN`, v6.18). Many
/// drivers leave the padding to IP, which trims it.
pub const LINK_PAYLOAD_LEAST: u32 = 60 - LINK_HEADER;

/// Length of an IPv4 header without options (RFC 791 section 3.1).
pub const IP_HEADER: u32 = 20;
/// Longest IPv4 header with options (RFC 791 section 3.1).
pub const IP_HEADER_MOST: u32 = 60;
/// Length of an IPv6 header (RFC 8200 section 3).
pub const IPV6_HEADER: u32 = 40;
/// Length of the IPv6 fragment header (RFC 8200 section 4.5).
pub const FRAGMENT_HEADER: u32 = 8;
/// The more-fragments flag (MF) of the IPv4 header (RFC 791 section 3.1).
pub const IP_MF: u16 = 0x2000;
/// The fragment offset of the IPv4 header, in units of 8 bytes.
pub const IP_OFFSET: u16 = 0x1fff;
/// IP payload of every fragment but the last at the lowest path MTU that Linux accepts (`net/ipv4/route.c:
/// ip_rt_min_pmtu`, v6.18: 552).
pub const FRAGMENT_LEAST: u32 = 552 - 8;

/// Length of a UDP header (RFC 768).
pub const UDP_HEADER: u32 = 8;

/// Shortest TCP header (RFC 9293 section 3.1).
pub const TCP_HEADER_LEAST: u32 = 20;
/// Longest TCP header with options (RFC 9293 section 3.1).
pub const TCP_HEADER_MOST: u32 = 60;
/// Whether a TCP header can have this length: its data offset counts words of 4 bytes (RFC 9293 section 3.1).
pub const fn is_tcp_header(bytes: u32) -> bool {
    TCP_HEADER_LEAST <= bytes && bytes <= TCP_HEADER_MOST && bytes.is_multiple_of(4)
}
/// Length of a TCP header with the timestamp option, which most connections use (RFC 7323 section 3.2); replaced as
/// soon as a segment shows its own.
pub const TCP_HEADER: u32 = 32;
