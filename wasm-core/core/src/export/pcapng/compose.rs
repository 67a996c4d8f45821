//! A frame's headers from its facts: Ethernet, IPv4, TCP or UDP, with lengths and checksums.
//!
//! Source: RFC 791 §3.1, RFC 768, RFC 9293 §3.1, RFC 1071.

use crate::kernel::Direction;

use super::known::{Ip, Known};

/// A frame as it goes into the file.
pub(super) struct Composed {
    /// Its headers.
    pub(super) bytes: Vec<u8>,
    /// Its length on the link.
    pub(super) length: u32,
    /// The fields that the run does not know.
    pub(super) made_up: Vec<&'static str>,
}

const ETHERNET: u32 = 14;
const IPV4: u32 = 20;
const UDP: u32 = 8;
const TCP_LEAST: u32 = 20;
/// With the timestamps that Linux sends by default (RFC 7323), as simulated segments have them.
const TCP_USUAL: u32 = 32;
const TCP_MOST: u32 = 60;
/// Above IPv4 in the shortest frame, of 60 bytes without its checksum.
const PADDED: u32 = 60 - ETHERNET - IPV4;
const NOP: u8 = 1;
const SYN: u8 = 0x02;
const ACK: u8 = 0x10;
const TTL: u8 = 64;
const OFFSET: u16 = 0x1fff;
const MORE_FRAGMENTS: u16 = 0x2000;

/// Locally administered addresses: of the watched host and of whoever it talks to.
const HOST: [u8; 6] = [2, 0, 0, 0, 0, 1];
const PEER: [u8; 6] = [2, 0, 0, 0, 0, 2];

/// Composes the headers of a frame.
pub(super) fn headers(frame: &Known) -> Composed {
    let mut made_up = Vec::new();
    let (to, from) = match frame.direction {
        Direction::Receive => (HOST, PEER),
        Direction::Transmit => (PEER, HOST),
    };
    let mut bytes = [to, from].concat();
    bytes.extend(frame.protocol.to_be_bytes());
    let mut length = ETHERNET;
    if let Some(ip) = &frame.ip {
        let above = frame
            .length
            .map(|length| length.saturating_sub(ETHERNET + IPV4));
        let transport = transport(ip, above, &mut made_up);
        length += IPV4 + transport.len() as u32 + ip.payload;
        bytes.extend(network(
            ip,
            transport.len() as u32 + ip.payload,
            &mut made_up,
        ));
        bytes.extend(transport);
    }
    Composed {
        bytes,
        length: frame.length.map_or(length, |seen| seen.max(ETHERNET)),
        made_up,
    }
    .within_its_length()
}

impl Composed {
    /// A frame is never shorter on the link than what is kept of it.
    fn within_its_length(mut self) -> Self {
        self.bytes.truncate(self.length as usize);
        self
    }
}

fn network(ip: &Ip, above: u32, made_up: &mut Vec<&'static str>) -> Vec<u8> {
    let id = ip.id.unwrap_or_else(|| {
        made_up.push("IP identification");
        ip.group
    });
    // A packet beyond 64 KiB (BIG TCP) has 0, as Linux writes it.
    let total = u16::try_from(IPV4 + above).unwrap_or(0);
    let mut header = vec![0x45, 0];
    header.extend(total.to_be_bytes());
    header.extend(id.to_be_bytes());
    header.extend(ip.frag_off.to_be_bytes());
    header.extend([TTL, ip.proto, 0, 0]);
    header.extend(ip.source.octets());
    header.extend(ip.destination.octets());
    let sum = checksum(&header).to_be_bytes();
    header[10..12].copy_from_slice(&sum);
    header
}

/// The options of a TCP header that are known, where it has room for them.
fn options(ip: &Ip, length: usize, header: &mut Vec<u8>) {
    const WINDOW_SCALE: u8 = 3;
    const SACK: u8 = 5;
    if let (Some(scale), true) = (ip.scale, length >= header.len() + 3) {
        header.extend([WINDOW_SCALE, 3, scale]);
    }
    let size = 2 + 8 * ip.sack.len();
    if !ip.sack.is_empty() && length >= header.len() + size {
        header.extend([SACK, size as u8]);
        for (from, to) in &ip.sack {
            header.extend(from.to_be_bytes());
            header.extend(to.to_be_bytes());
        }
    }
}

/// The transport header, empty in a later fragment or of a protocol that is not known. `above` is what
/// the frame has above IP, where its length was seen.
fn transport(ip: &Ip, above: Option<u32>, made_up: &mut Vec<&'static str>) -> Vec<u8> {
    let Some((source, destination)) = ip.ports.filter(|_| ip.frag_off & OFFSET == 0) else {
        return Vec::new();
    };
    let mut header = [source.to_be_bytes(), destination.to_be_bytes()].concat();
    let checksum_at = match ip.proto {
        6 => {
            let seen = above.and_then(|above| above.checked_sub(ip.payload));
            let length = match seen.unwrap_or(TCP_USUAL) {
                // Ethernet fills short frames up, with what else would be options.
                PADDED if ip.payload == 0 && ip.flags.is_none_or(|flags| flags & SYN == 0) => {
                    made_up.push("TCP header length");
                    TCP_LEAST
                }
                seen => seen.clamp(TCP_LEAST, TCP_MOST) / 4 * 4,
            };
            let mut or_zero = |number: Option<u32>, name| {
                number.unwrap_or_else(|| {
                    made_up.push(name);
                    0
                })
            };
            header.extend(or_zero(ip.seq, "TCP sequence number").to_be_bytes());
            header.extend(or_zero(ip.ack, "TCP acknowledgement number").to_be_bytes());
            let flags = ip.flags.unwrap_or_else(|| {
                made_up.push("TCP flags");
                // Without this flag a number that is not known acknowledges nothing.
                if ip.ack.is_some() { ACK } else { 0 }
            });
            let window = ip.window.unwrap_or_else(|| {
                made_up.push("TCP window");
                u16::MAX
            });
            header.extend([(length / 4 * 16) as u8, flags]);
            header.extend(window.to_be_bytes());
            header.extend([0; 4]);
            options(ip, length as usize, &mut header);
            header.resize(length as usize, NOP);
            16
        }
        17 => {
            let is_part = ip.frag_off & MORE_FRAGMENTS != 0;
            if is_part && ip.datagram.is_none() {
                made_up.push("UDP length");
            }
            let whole = ip.datagram.filter(|_| is_part);
            let length = u16::try_from(whole.unwrap_or(UDP + ip.payload)).unwrap_or(0);
            header.extend(length.to_be_bytes());
            header.extend([0, 0]);
            6
        }
        _ => return Vec::new(),
    };
    // A fragment's checksum is of the whole datagram, which is not here: 0 is "none" in UDP.
    if ip.frag_off & (OFFSET | MORE_FRAGMENTS) == 0 {
        let sum = transport_checksum(ip, &header);
        header[checksum_at..checksum_at + 2].copy_from_slice(&sum.to_be_bytes());
    }
    header
}

/// The checksum over pseudo header, header and a payload of zeros, which adds nothing.
fn transport_checksum(ip: &Ip, header: &[u8]) -> u16 {
    let length = header.len() as u32 + ip.payload;
    let mut pseudo = [ip.source.octets(), ip.destination.octets()].concat();
    pseudo.extend([0, ip.proto]);
    pseudo.extend((length as u16).to_be_bytes());
    pseudo.extend(header);
    match checksum(&pseudo) {
        // 0 would say that there is none (RFC 768).
        0 if ip.proto == 17 => 0xffff,
        sum => sum,
    }
}

/// The checksum of the Internet (RFC 1071) over an even number of bytes.
fn checksum(bytes: &[u8]) -> u16 {
    let words = bytes.chunks_exact(2);
    let mut sum: u32 = words
        .map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]])))
        .sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}
