//! Lengths of headers, and the numbers that headers carry. All lengths are in bytes.

pub use crate::kernel::protocol::{
    ETH_P_ARP, ETH_P_IP, ETH_P_IPV6, IP_HEADER, IP_HEADER_MOST, IPV6_HEADER, IPV6_HEADER_MOST, TCP,
    UDP, UDPLITE, is_vlan_tag,
};

/// Whether an event's protocol is that of a UDP socket.
pub fn is_udp(protocol: Option<u32>) -> bool {
    protocol == Some(UDP.into()) || protocol == Some(UDPLITE.into())
}

/// Length of a VLAN tag (IEEE 802.1Q).
pub const VLAN_TAG: u32 = 4;

/// Length of an Ethernet header (IEEE 802.3).
pub const LINK_HEADER: u32 = 14;

/// What the shortest Ethernet frame carries, padding counted (`include/uapi/linux/if_ether.h: ETH_ZLEN`, v6.18). Many
/// drivers leave the padding to IP, which trims it.
pub const LINK_PAYLOAD_LEAST: u32 = 60 - LINK_HEADER;

/// Length of the IPv6 fragment header (RFC 8200 section 4.5).
pub const FRAGMENT_HEADER: u32 = 8;
/// The more-fragments flag (MF) of the IPv4 header (RFC 791 section 3.1).
pub const IP_MF: u16 = 0x2000;
/// The fragment offset of the IPv4 header, in units of 8 bytes.
pub const IP_OFFSET: u16 = 0x1fff;
/// IP payload of every fragment but the last at the lowest path MTU that Linux accepts (`net/ipv4/route.c:
/// ip_rt_min_pmtu`, v6.18: 552).
pub const FRAGMENT_LEAST: u32 = 552 - 8;

/// Nanoseconds for which the kernel waits for the rest of a datagram (`include/net/ip.h: IP_FRAG_TIME`, v6.18).
pub const FRAGMENT_TIMEOUT: u64 = 30_000_000_000;

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

/// What events reported of a packet's headers, and the lengths that show how long its headers are.
#[derive(Debug, Clone, Default)]
pub struct Headers {
    /// The protocol after the link header (IEEE 802 numbers); 0 where unknown.
    pub ethertype: u32,
    pub ip_id: Option<u16>,
    /// Flags and offset of the IP header, in host order.
    pub frag_off: u16,
    /// IP header length in bytes if a driver's event reports one with options or with extension headers, of which a
    /// fragment's is one; else 0.
    pub longer_header: u32,
    /// `skb->len` when it entered IP; 0 if not recorded.
    pub network_bytes: u32,
    /// `skb->len` when the transport layer got it.
    pub transport_bytes: u32,
    /// A tunnel on this host removed its outer headers.
    pub is_unpacked: bool,
}

impl Headers {
    /// The core takes a VLAN tag off that the device left in the frame, and traces the packet before it does (`net/core/dev.c:
    /// __netif_receive_skb_core`, `skb_vlan_untag`, v6.18). What stands behind the tag, no event has told.
    pub const fn take_off_tag(&mut self) {
        if is_vlan_tag(self.ethertype) {
            self.network_bytes = self.network_bytes.saturating_sub(VLAN_TAG);
            self.ethertype = 0;
        }
    }

    /// UDP payload in bytes, if it is an unfragmented datagram.
    pub fn datagram_bytes(&self) -> u32 {
        self.network_bytes
            .saturating_sub(self.ip_header() + UDP_HEADER)
    }

    /// TCP payload in bytes, if its TCP header has this length. While nothing shows the header's own length, that is
    /// `headers::TCP_HEADER`.
    pub const fn tcp_payload(&self, header: u32) -> u32 {
        let headers = self.ip_header() + header;
        self.network_bytes.saturating_sub(headers)
    }

    /// Length in bytes of its TCP header, if it has this payload, of which only the lower 16 bits are known: so
    /// `tcp_probe` reports it.
    pub const fn tcp_header(&self, payload: u32) -> u32 {
        let headers = self.ip_header().wrapping_add(payload);
        self.network_bytes.wrapping_sub(headers) & 0xffff
    }

    /// Whether it can be a segment with this payload, of which only the lower 16 bits are known.
    pub const fn may_carry(&self, payload: u32) -> bool {
        let shortest = self
            .ip_header()
            .wrapping_add(TCP_HEADER_LEAST)
            .wrapping_add(payload);
        let may_be_padded =
            self.network_bytes == LINK_PAYLOAD_LEAST && shortest <= LINK_PAYLOAD_LEAST;
        is_tcp_header(self.tcp_header(payload)) || may_be_padded
    }

    /// Length of its IP header in bytes, without options and extension headers unless a driver's event reported them (RFC
    /// 791 section 3.1, RFC 8200 sections 3 and 4).
    pub const fn ip_header(&self) -> u32 {
        match (self.ethertype, self.longer_header) {
            (ETH_P_IPV6, 0) => IPV6_HEADER,
            (ETH_P_IPV6, IPV6_HEADER_MOST..) => IPV6_HEADER_MOST,
            (ETH_P_IPV6, longer) => longer,
            (_, 0) => IP_HEADER,
            (_, IP_HEADER_MOST..) => IP_HEADER_MOST,
            (_, longer) => longer,
        }
    }

    /// The same for a fragment, with IPv6's fragment header (RFC 8200 section 4.5).
    pub const fn fragment_headers(&self) -> u32 {
        let header = self.ip_header();
        if self.ethertype == ETH_P_IPV6 && self.longer_header == 0 {
            header + FRAGMENT_HEADER
        } else {
            header
        }
    }

    /// The same for the whole datagram, should this be one of its fragments.
    pub const fn whole_header(&self) -> u32 {
        let headers = self.fragment_headers();
        if self.ethertype == ETH_P_IPV6 {
            headers.saturating_sub(FRAGMENT_HEADER)
        } else {
            headers
        }
    }

    /// IP payload in bytes, for a fragment.
    pub const fn ip_payload(&self) -> u32 {
        self.network_bytes.saturating_sub(self.fragment_headers())
    }

    /// Whether it can be a fragment that is not the last: the length of those is a multiple of 8 bytes (RFC 791
    /// section 3.2).
    pub const fn is_cut_evenly(&self) -> bool {
        self.ip_payload() > 0 && self.ip_payload().is_multiple_of(8)
    }

    /// Whether it can carry a neighbour's address: ARP, or a neighbour advertisement with no other option (RFC 4861
    /// section 4.4).
    pub const fn tells_neighbour(&self) -> bool {
        self.ethertype == ETH_P_ARP || self.ethertype == ETH_P_IPV6 && self.network_bytes <= 72
    }

    /// Whether its IP header says that it is a fragment.
    pub const fn is_fragment(&self) -> bool {
        self.frag_off & (IP_MF | IP_OFFSET) != 0
    }
}
