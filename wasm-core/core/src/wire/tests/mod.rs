//! Captures made in memory, read in every format and joined to traces written as
//! kperf 2.

mod attach;
mod doubles;
mod ends;
mod reader;
mod unseen;
mod v6;

use super::{Capture, Reader};

const HOST: [u8; 6] = [0x52, 0x54, 0, 0, 0, 2];
const PEER: [u8; 6] = [0x52, 0x54, 0, 0, 0, 1];

/// A frame to be written into a capture file.
#[derive(Debug, Clone)]
struct Sent {
    /// Nanoseconds on the capture's clock.
    time: u64,
    bytes: Vec<u8>,
}

/// An Ethernet frame to the host (or from it) with an IPv4 packet.
fn ethernet(is_to_host: bool, packet: &[u8]) -> Vec<u8> {
    let (to, from) = if is_to_host {
        (HOST, PEER)
    } else {
        (PEER, HOST)
    };
    [&to[..], &from[..], &[8, 0], packet].concat()
}

/// An IPv4 packet between 192.0.2.1 and 192.0.2.2 with this id and offset field.
fn ipv4(is_to_host: bool, proto: u8, id: u16, frag_off: u16, above: &[u8]) -> Vec<u8> {
    let (from, to) = if is_to_host { (1, 2) } else { (2, 1) };
    let mut packet = vec![0x45, 0];
    packet.extend((20 + above.len() as u16).to_be_bytes());
    packet.extend(id.to_be_bytes());
    packet.extend(frag_off.to_be_bytes());
    packet.extend([64, proto, 0, 0, 192, 0, 2, from, 192, 0, 2, to]);
    packet.extend(above);
    packet
}

fn udp(sport: u16, dport: u16, payload: &[u8]) -> Vec<u8> {
    let mut datagram = Vec::new();
    datagram.extend(sport.to_be_bytes());
    datagram.extend(dport.to_be_bytes());
    datagram.extend((8 + payload.len() as u16).to_be_bytes());
    datagram.extend([0, 0]);
    datagram.extend(payload);
    datagram
}

fn tcp(sport: u16, dport: u16, seq: u32, payload: &[u8]) -> Vec<u8> {
    let mut segment = Vec::new();
    segment.extend(sport.to_be_bytes());
    segment.extend(dport.to_be_bytes());
    segment.extend(seq.to_be_bytes());
    segment.extend([0, 0, 0, 9, 0x50, 0x18, 0xff, 0xff, 0, 0, 0, 0]);
    segment.extend(payload);
    segment
}

/// A row of the marker.
fn marker(thread: u32, packet: u32) -> Vec<u8> {
    [&[0xff; 8][..], &thread.to_be_bytes(), &packet.to_be_bytes()].concat()
}

/// A pcap file: byte order, resolution and link type of choice.
fn pcap(is_big_endian: bool, is_nanos: bool, link: u32, frames: &[Sent]) -> Vec<u8> {
    let word = |value: u32| {
        if is_big_endian {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        }
    };
    let half = |value: u16| {
        if is_big_endian {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        }
    };
    let mut file = Vec::new();
    file.extend(word(if is_nanos { 0xa1b2_3c4d } else { 0xa1b2_c3d4 }));
    file.extend([half(2), half(4)].concat());
    for value in [0, 0, 65_535, link] {
        file.extend(word(value));
    }
    for frame in frames {
        let fraction = frame.time % 1_000_000_000;
        let fraction = if is_nanos { fraction } else { fraction / 1_000 };
        let length = frame.bytes.len() as u32;
        for value in [
            (frame.time / 1_000_000_000) as u32,
            fraction as u32,
            length,
            length,
        ] {
            file.extend(word(value));
        }
        file.extend(&frame.bytes);
    }
    file
}

/// A pcapng file with one interface that counts nanoseconds.
fn pcapng(is_big_endian: bool, frames: &[Sent]) -> Vec<u8> {
    let word = |value: u32| {
        if is_big_endian {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        }
    };
    let half = |value: u16| {
        if is_big_endian {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        }
    };
    let block = |kind: u32, body: &[u8]| {
        let length = word(12 + body.len() as u32);
        [&word(kind)[..], &length, body, &length].concat()
    };
    let header = [&word(0x1a2b_3c4d)[..], &half(1), &half(0), &[0xff; 8]].concat();
    let resolution = [&half(9)[..], &half(1), &[9, 0, 0, 0], &half(0), &half(0)].concat();
    let interface = [&half(1)[..], &half(0), &word(65_535), &resolution].concat();
    let mut file = [block(0x0a0d_0d0a, &header), block(1, &interface)].concat();
    for frame in frames {
        let length = frame.bytes.len() as u32;
        let mut body = Vec::new();
        for value in [
            0,
            (frame.time >> 32) as u32,
            frame.time as u32,
            length,
            length,
        ] {
            body.extend(word(value));
        }
        body.extend(&frame.bytes);
        body.resize(body.len().next_multiple_of(4), 0);
        file.extend(block(6, &body));
    }
    file
}

fn read(file: &[u8]) -> Capture {
    let mut reader = Reader::default();
    reader.feed(file);
    reader.finish().expect("it is a capture")
}
