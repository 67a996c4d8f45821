//! Protocols of frames, by their ethertypes, and those above IP, by their numbers (IANA: Assigned Internet Protocol
//! Numbers), how TCP counts, and of IP a mark and the lengths of its headers.

/// The ethertype of IPv4 (`include/uapi/linux/if_ether.h`, as those below).
pub const ETH_P_IP: u32 = 0x0800;
/// The ethertype of ARP.
pub const ETH_P_ARP: u32 = 0x0806;
/// The ethertype of IPv6.
pub const ETH_P_IPV6: u32 = 0x86dd;

/// Whether an ethertype is that of a VLAN tag, behind which the packet's own follows: a C-tag or an S-tag (IEEE 802.1Q).
pub const fn is_vlan_tag(ethertype: u32) -> bool {
    matches!(ethertype, 0x8100 | 0x88a8)
}

/// Length of an IPv4 header without options (RFC 791 section 3.1).
pub const IP_HEADER: u32 = 20;
/// Longest IPv4 header with options (RFC 791 section 3.1).
pub const IP_HEADER_MOST: u32 = 60;
/// Length of an IPv6 header (RFC 8200 section 3).
pub const IPV6_HEADER: u32 = 40;
/// Longest IPv6 header that is believed, with its extension headers: above what programs add.
pub const IPV6_HEADER_MOST: u32 = IPV6_HEADER + 256;

/// The Internet Control Message Protocol of IPv4, whose header begins with a type and a code (RFC 792).
pub const ICMP: u8 = 1;
/// TCP (RFC 9293).
pub const TCP: u8 = 6;
/// UDP (RFC 768).
pub const UDP: u8 = 17;
/// UDP-Lite (RFC 3828), whose sockets are UDP's but for the checksum (`net/ipv4/udplite.c`, v6.18).
pub const UDPLITE: u8 = 136;

/// What the ECN field of an IP header says of a packet that a congested queue has marked (`INET_ECN_CE`, RFC 3168 section 5).
pub const ECN_CE: u32 = 3;

/// Whether a header of this protocol begins with two ports: TCP, UDP, DCCP, SCTP, UDP-Lite.
pub const fn has_ports(protocol: u8) -> bool {
    matches!(protocol, TCP | UDP | 33 | 132 | UDPLITE)
}

/// Whether TCP's sequence number `a` comes after `b` (RFC 9293 section 3.4: modulo 2^32).
pub const fn is_after(a: u32, b: u32) -> bool {
    a.wrapping_sub(b).cast_signed() > 0
}
