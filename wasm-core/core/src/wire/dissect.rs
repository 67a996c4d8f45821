//! Extracts the header fields of a frame: link header, IP, TCP or UDP, marker.
//!
//! Link types: Ethernet with VLAN tags, raw IP, and Linux "cooked" captures (LINKTYPE_LINUX_SLL and _SLL2 of
//! tcpdump.org's registry), which record a frame's direction. Truncated frames are read as far as they go.

use std::net::IpAddr;

use pcap_parser::Linktype;

use super::frame::{Endpoint, Frame, Ip, Marker, Tcp, Transport};
use super::unread::Unread;
use crate::kernel::protocol::{ETH_P_ARP, ETH_P_IP, ETH_P_IPV6, TCP, UDP, is_vlan_tag};
use crate::kernel::{Direction, Nanos};
use crate::run::fingerprint::Fnv;

const IPV4: u16 = ETH_P_IP as u16;
const IPV6: u16 = ETH_P_IPV6 as u16;
/// `struct ethhdr` (include/uapi/linux/if_ether.h), in bytes: included in the length that tracepoints report on
/// sending.
pub(super) const ETHERNET_HEADER: u32 = 14;

/// The fields of a frame; `length` is its length on the link in bytes. Fails if it cannot be read.
pub(super) fn dissect(
    link: Linktype,
    data: &[u8],
    length: u32,
    time: Nanos,
    number: u32,
) -> Result<Frame, Unread> {
    let virtio = virtio_header(link, data);
    let (data, length) = (&data[virtio..], length.saturating_sub(virtio as u32));
    let heading = heading(link, data)?;
    let mut frame = Frame {
        number,
        time,
        length,
        captured: data.len() as u32,
        link_header: heading.size as u32,
        source: heading.source,
        destination: heading.destination,
        direction: heading.direction,
        protocol: heading.protocol,
        ip: None,
        transport: None,
        sack: Box::default(),
        payload: 0,
        marker: None,
        content: content(data),
    };
    let network = data.get(heading.size..).unwrap_or_default();
    match heading.protocol {
        IPV4 => ipv4(&mut frame, network),
        IPV6 => ipv6(&mut frame, network),
        _ => None,
    };
    if let Some(ip) = frame.ip {
        frame.source.get_or_insert(Endpoint::Ip(ip.source));
        frame
            .destination
            .get_or_insert(Endpoint::Ip(ip.destination));
    }
    Ok(frame)
}

/// QEMU's filter-dump writes `struct virtio_net_hdr_mrg_rxbuf` (include/uapi/linux/virtio_net.h), 12 bytes, before
/// each frame of a virtio link, but declares Ethernet. It is recognised by an EtherType 12 bytes too late.
fn virtio_header(link: Linktype, data: &[u8]) -> usize {
    const SIZE: usize = 12;
    const ARP: u16 = ETH_P_ARP as u16;
    let is_known = |at| {
        let protocol = be16(data, at);
        protocol.is_some_and(|protocol| {
            [IPV4, IPV6, ARP].contains(&protocol) || is_vlan_tag(protocol.into())
        })
    };
    if link == Linktype::ETHERNET && !is_known(12) && is_known(12 + SIZE) {
        SIZE
    } else {
        0
    }
}

struct Heading {
    size: usize,
    protocol: u16,
    source: Option<Endpoint>,
    destination: Option<Endpoint>,
    direction: Option<Direction>,
}

fn heading(link: Linktype, data: &[u8]) -> Result<Heading, Unread> {
    let read = match link {
        Linktype::ETHERNET => ethernet(data),
        Linktype::LINUX_SLL => cooked(data, 16, 14, 1),
        Linktype::LINUX_SLL2 => cooked(data, 20, 0, 10),
        Linktype::RAW | Linktype::IPV4 | Linktype::IPV6 => raw(data),
        _ => return Err(Unread::LinkType(link.0.cast_unsigned())),
    };
    read.ok_or(Unread::Short)
}

fn ethernet(data: &[u8]) -> Option<Heading> {
    let destination = Endpoint::Mac(*data.first_chunk()?);
    let source = Endpoint::Mac(*data.get(6..)?.first_chunk()?);
    let mut size = 14;
    let mut protocol = be16(data, 12)?;
    while is_vlan_tag(protocol.into()) {
        protocol = be16(data, size + 2)?;
        size += 4;
    }
    Some(Heading {
        size,
        protocol,
        source: Some(source),
        destination: Some(destination),
        direction: None,
    })
}

/// A cooked header of `size` bytes with EtherType and packet type at these offsets.
fn cooked(data: &[u8], size: usize, protocol: usize, kind: usize) -> Option<Heading> {
    const OUTGOING: u8 = 4;
    data.get(..size)?;
    Some(Heading {
        size,
        protocol: be16(data, protocol)?,
        source: None,
        destination: None,
        direction: match data[kind] {
            0..=2 => Some(Direction::Receive),
            OUTGOING => Some(Direction::Transmit),
            _ => None,
        },
    })
}

fn raw(data: &[u8]) -> Option<Heading> {
    let protocol = match data.first()? >> 4 {
        4 => IPV4,
        6 => IPV6,
        _ => 0,
    };
    Some(Heading {
        size: 0,
        protocol,
        source: None,
        destination: None,
        direction: None,
    })
}

/// RFC 791 §3.1.
fn ipv4(frame: &mut Frame, data: &[u8]) -> Option<()> {
    let header = usize::from(data.first()? & 0xf) * 4;
    if header < 20 {
        return None;
    }
    let source = u32::from_be_bytes(*data.get(12..)?.first_chunk()?);
    let destination = u32::from_be_bytes(*data.get(16..)?.first_chunk()?);
    let ip = Ip {
        source: IpAddr::V4(source.into()),
        destination: IpAddr::V4(destination.into()),
        proto: *data.get(9)?,
        id: Some(be16(data, 4)?),
        frag_off: be16(data, 6)?,
        header: header as u32,
    };
    frame.ip = Some(ip);
    // A capture on the sending host shows zero for a packet that segmentation offload will split.
    let total = match be16(data, 2)? {
        0 => frame.length.saturating_sub(frame.link_header),
        total => u32::from(total),
    };
    transport(
        frame,
        &ip,
        data.get(header..)?,
        total.saturating_sub(ip.header),
    )
}

/// RFC 8200 §3, with the extension headers of §4 that may stand before the transport's. What is behind an encrypted one
/// is not read, and its protocol is told.
fn ipv6(frame: &mut Frame, data: &[u8]) -> Option<()> {
    const FIXED: usize = 40;
    const HOP_BY_HOP: u8 = 0;
    const ROUTING: u8 = 43;
    const FRAGMENT: u8 = 44;
    const AUTHENTICATION: u8 = 51;
    const DESTINATION: u8 = 60;
    // RFC 6275, RFC 7401, RFC 5533.
    const MOBILITY: u8 = 135;
    const HOST_IDENTITY: u8 = 139;
    const SHIM6: u8 = 140;
    let source: [u8; 16] = *data.get(8..)?.first_chunk()?;
    let destination: [u8; 16] = *data.get(24..)?.first_chunk()?;
    let mut ip = Ip {
        source: IpAddr::V6(source.into()),
        destination: IpAddr::V6(destination.into()),
        proto: *data.get(6)?,
        id: None,
        frag_off: 0,
        header: FIXED as u32,
    };
    let mut header = FIXED;
    while let Some(&[next, length, ..]) = data.get(header..) {
        let size = match ip.proto {
            HOP_BY_HOP | ROUTING | DESTINATION | MOBILITY | HOST_IDENTITY | SHIM6 => {
                (usize::from(length) + 1) * 8
            }
            // RFC 4302 section 2.2: in words of 4 bytes, less 2.
            AUTHENTICATION => (usize::from(length) + 2) * 4,
            // RFC 8200 section 4.5: the offset in units of 8 bytes, two bits, and whether more follow.
            FRAGMENT => {
                let Some(offset) = be16(data, header + 2) else {
                    break;
                };
                ip.frag_off = (offset >> 3) | ((offset & 1) * Ip::MORE);
                8
            }
            _ => break,
        };
        (ip.proto, header) = (next, header + size);
        ip.header = header as u32;
        // Only the first fragment has what follows.
        if ip.offset() > 0 {
            break;
        }
    }
    frame.ip = Some(ip);
    // A capture on the sending host shows zero for a packet too long for the field (BIG TCP).
    let above = match be16(data, 4)? {
        0 => frame.network_length().saturating_sub(FIXED as u32),
        above => u32::from(above),
    };
    let bytes = above.saturating_sub(ip.header - FIXED as u32);
    transport(frame, &ip, data.get(header..)?, bytes)
}

/// Reads the part above an IP header: `bytes` of it on the link, `data` in the file.
fn transport(frame: &mut Frame, ip: &Ip, data: &[u8], bytes: u32) -> Option<()> {
    frame.payload = bytes;
    if ip.offset() > 0 {
        // The rest of a UDP payload: its 16-byte rows continue those of the first fragment.
        let row = (16 - (ip.offset() as usize - 8) % 16) % 16;
        frame.marker = marker(data.get(row..)?);
        return Some(());
    }
    let header = match ip.proto {
        UDP => 8,
        TCP => usize::from(data.get(12)? >> 4) * 4,
        _ => return Some(()),
    };
    let tcp = match ip.proto {
        TCP => Some(tcp(frame, data, header)?),
        _ => None,
    };
    frame.transport = Some(Transport {
        sport: be16(data, 0)?,
        dport: be16(data, 2)?,
        header: header as u32,
        tcp,
    });
    frame.payload = bytes.saturating_sub(header as u32);
    frame.marker = marker(data.get(header..)?);
    Some(())
}

/// A TCP header of `header` bytes. Options that do not fit or are truncated are ignored.
fn tcp(frame: &mut Frame, data: &[u8], header: usize) -> Option<Tcp> {
    const NOP: u8 = 1;
    const WINDOW_SCALE: u8 = 3;
    const SACK: u8 = 5;
    let mut tcp = Tcp {
        seq: be32(data, 4)?,
        ack: be32(data, 8)?,
        flags: *data.get(13)?,
        window: be16(data, 14)?,
        scale: None,
    };
    let mut options = data.get(20..header).unwrap_or_default();
    while let [kind, rest @ ..] = options {
        if *kind == NOP {
            options = rest;
            continue;
        }
        let size = rest.first().map_or(0, |&size| usize::from(size));
        let Some(option) = options.get(2..size) else {
            break;
        };
        match (*kind, option) {
            (WINDOW_SCALE, [scale]) if tcp.flags & Tcp::SYN != 0 => tcp.scale = Some(*scale),
            (SACK, blocks) => {
                let blocks = blocks.chunks_exact(8);
                frame.sack = blocks
                    .filter_map(|block| Some((be32(block, 0)?, be32(block, 4)?)))
                    .collect();
            }
            _ => {}
        }
        options = &options[size..];
    }
    Some(tcp)
}

/// Eight bytes `ff`, the thread and the packet number in network order.
fn marker(data: &[u8]) -> Option<Marker> {
    let row: &[u8; 16] = data.first_chunk()?;
    (row[..8] == [0xff; 8]).then_some(Marker {
        thread: be32(row, 8)?,
        packet: be32(row, 12)?,
    })
}

fn content(data: &[u8]) -> u64 {
    let mut hash = Fnv::new();
    hash.bytes(data);
    hash.0
}

fn be16(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*data.get(at..)?.first_chunk()?))
}

fn be32(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*data.get(at..)?.first_chunk()?))
}
