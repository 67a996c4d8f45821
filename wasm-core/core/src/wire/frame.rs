//! The known fields of a frame on the link.

use std::fmt;
use std::net::IpAddr;

use crate::kernel::protocol::ETH_P_IPV6;
use crate::kernel::{Direction, Nanos};

/// A frame of the capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Its number in the file, from 1.
    pub number: u32,
    /// Its time on the capture's clock.
    pub time: Nanos,
    /// Its length on the link in bytes, headers included, without the frame check sequence.
    pub length: u32,
    /// Bytes of it that the file holds.
    pub captured: u32,
    /// Bytes of the link layer's header in `length`.
    pub link_header: u32,
    /// Its sender on this link.
    pub source: Option<Endpoint>,
    /// Its receiver on this link.
    pub destination: Option<Endpoint>,
    /// Its direction, if the capture records it (Linux "cooked" captures).
    pub direction: Option<Direction>,
    /// The EtherType.
    pub protocol: u16,
    /// The IP header.
    pub ip: Option<Ip>,
    /// The transport header, if the frame contains the start of a datagram.
    pub transport: Option<Transport>,
    /// The blocks of a TCP SACK option, from first byte to one past the last (RFC 2018 section 3).
    pub sack: Box<[(u32, u32)]>,
    /// Bytes above IP and above the transport header, if there is one.
    pub payload: u32,
    /// The marker in the first complete 16-byte row of the payload.
    pub marker: Option<Marker>,
    /// A hash of the captured bytes.
    pub content: u64,
}

impl Frame {
    /// Whether it is of IPv6.
    pub(super) fn is_v6(&self) -> bool {
        u32::from(self.protocol) == ETH_P_IPV6
    }

    /// Whether it has what tells it from others of its length, should a trace report it: a number of IPv4, or ports.
    pub(super) fn is_comparable(&self) -> bool {
        let has_id = self.ip.is_some_and(|ip| ip.id.is_some());
        has_id || self.is_v6() && self.transport.is_some()
    }

    /// Its bytes from the network header on.
    pub(super) fn network_length(&self) -> u32 {
        self.length.saturating_sub(self.link_header)
    }
}

/// An address on the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Endpoint {
    /// An Ethernet address.
    Mac([u8; 6]),
    /// An IP address, where the capture has no link addresses.
    Ip(IpAddr),
}

impl Endpoint {
    /// Whether it addresses more than one host.
    pub fn is_group(self) -> bool {
        match self {
            Self::Mac(mac) => mac[0] & 1 == 1,
            Self::Ip(IpAddr::V4(ip)) => ip.is_multicast() || ip.is_broadcast(),
            Self::Ip(IpAddr::V6(ip)) => ip.is_multicast(),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mac(mac) => {
                let [first, rest @ ..] = mac;
                write!(formatter, "{first:02x}")?;
                rest.iter()
                    .try_for_each(|byte| write!(formatter, ":{byte:02x}"))
            }
            Self::Ip(ip) => ip.fmt(formatter),
        }
    }
}

/// An IP header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ip {
    /// Sender.
    pub source: IpAddr,
    /// Receiver.
    pub destination: IpAddr,
    /// IP protocol.
    pub proto: u8,
    /// Identification (IPv4).
    pub id: Option<u16>,
    /// Flags and fragment offset as in the header of IPv4; of IPv6 the same from the fragment header.
    pub frag_off: u16,
    /// Bytes of the header, IPv6's extension headers included.
    pub header: u32,
}

impl Ip {
    /// The mask of the offset in `frag_off`, in units of 8 bytes; the rest are flags.
    pub const OFFSET: u16 = 0x1fff;

    /// The flag in `frag_off` that more fragments follow (RFC 791 section 3.1).
    pub const MORE: u16 = 0x2000;

    /// Offset of this fragment in its datagram, in bytes.
    pub const fn offset(&self) -> u32 {
        (self.frag_off & Self::OFFSET) as u32 * 8
    }
}

/// A TCP or UDP header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transport {
    /// Source port.
    pub sport: u16,
    /// Destination port.
    pub dport: u16,
    /// Bytes of the header.
    pub header: u32,
    /// The fields of a TCP header only.
    pub tcp: Option<Tcp>,
}

/// The numbers of a TCP header (RFC 9293 section 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tcp {
    /// Sequence number.
    pub seq: u32,
    /// Acknowledgement number.
    pub ack: u32,
    /// Control bits.
    pub flags: u8,
    /// The window field of the header, unscaled.
    pub window: u16,
    /// The window scale option of a SYN (RFC 7323 section 2.2).
    pub scale: Option<u8>,
}

impl Tcp {
    /// The control bit of a segment that opens a connection.
    pub const SYN: u8 = 2;
}

/// The 2005 toolkit's marker (Demter et al. 2005, section 3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker {
    /// Sending thread.
    pub thread: u32,
    /// Packet number.
    pub packet: u32,
}
