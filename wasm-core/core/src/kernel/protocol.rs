//! Protocols above IP, by their numbers (IANA: Assigned Internet Protocol Numbers).

/// The Internet Control Message Protocol of IPv4, whose header begins with a type and a code (RFC 792).
pub const ICMP: u32 = 1;

/// Whether a header of this protocol begins with two ports: TCP, UDP, DCCP, SCTP, UDP-Lite.
pub const fn has_ports(protocol: u32) -> bool {
    matches!(protocol, 6 | 17 | 33 | 132 | 136)
}
