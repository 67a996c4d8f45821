//! Packets: what a frame says, and the `sk_buff` that holds one in a host's memory.

use crate::cache::ObjectId;
use crate::engine::core::Core;
use crate::engine::cpu::op::About;
use crate::engine::ids::{BufferId, Device, Id as _, SkbId, SockId, Table};
use crate::tcp::Segment;
use ringside::kernel::{AddrId, Probe};

/// Where pages of packet memory are in the recording.
const DIRECT_MAP: u64 = 0xffff_b000_0000;

/// What a packet says, on a wire as in memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct Frame {
    /// The TCP segment, or a datagram as one.
    pub segment: Segment,
    /// Whether it is a datagram.
    pub is_udp: bool,
    /// Its place in a larger datagram.
    pub fragment: Fragment,
    /// The socket it comes from; none in an empty buffer.
    pub from: Option<SockId>,
    /// The socket it goes to.
    pub to: Option<SockId>,
    /// Whether its payload is not what was sent, so that its checksum is wrong.
    pub is_damaged: bool,
    /// Payload in bytes of each segment that it is to be cut into (`skb_shared_info::gso_size`); 0: it goes as it is.
    pub gso_size: u32,
}

/// A piece of a datagram.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fragment {
    /// The datagram's identification.
    pub id: u32,
    /// Offset of its payload in bytes.
    pub offset: u32,
    /// Bytes of the whole datagram; 0: not a fragment.
    pub total: u32,
}

/// Memory of packet data: pages.
#[derive(Debug, Clone, Copy)]
pub struct Buffer {
    /// The cache object of its first page; the others follow it.
    pub first: ObjectId,
    /// Number of pages.
    pub pages: u32,
    /// Number of packets, and descriptors, that refer to it (`skb_shared_info.dataref`): the last one frees it.
    pub refs: u32,
    /// The frame that a NIC has put there.
    pub frame: Frame,
}

/// What a receive descriptor points to: memory for a frame, and the `sk_buff` around it where the
/// driver makes that before there is a frame. The frame that comes is the buffer's, so that it needs
/// no `sk_buff` to exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RxBuffer {
    /// The memory.
    pub buffer: BufferId,
    /// Its `sk_buff`.
    pub skb: Option<SkbId>,
}

/// What an `sk_buff` refers to of connection tracking (`_nfct`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nfct {
    /// Nothing, or an entry that is in the table.
    #[default]
    Settled,
    /// An entry of its own that is not in the table yet, and goes with it.
    Unconfirmed,
}

/// An `sk_buff`.
#[derive(Debug, Clone, Copy)]
pub struct SkBuff {
    /// What it holds.
    pub frame: Frame,
    /// The next piece of the same packet (GRO, reassembly).
    pub next: Option<SkbId>,
    /// The last piece of its chain.
    pub last: Option<SkbId>,
    /// Frames merged into it.
    pub frames: u32,
    /// The device that it came from or goes to.
    pub device: Device,
    /// Whether its checksum is computed while it is copied from or to the process.
    pub sum_with_copy: bool,
    /// Whether RPS has moved it already.
    pub is_steered: bool,
    /// Its fragments, where others have joined it in a backlog; nothing where what it holds tells them.
    pub fragments: Option<u16>,
    /// Fragments of the packet that it and those before it in a receive queue have become; nothing where it is the
    /// first.
    pub joined: Option<u16>,
    /// Its tracked connection.
    pub nfct: Nfct,
    /// Whether its data are those that its sender keeps until they are acknowledged (`skb_cloned`).
    pub is_cloned: bool,
    /// Bytes that it counts in its sender's buffer (`truesize`, until `sock_wfree`).
    pub truesize: u32,
    /// Bytes of its own buffer.
    pub own: u32,
    /// Its head's objects in the cache.
    pub head: ObjectId,
    /// Its data.
    pub buffer: Option<BufferId>,
    /// Where its data start in the buffer.
    pub offset: u32,
    /// Bytes not yet read.
    pub unread: u32,
    /// Address in the recording.
    pub address: AddrId,
    /// Who holds it (`users`): one, or nobody while it is free and the next packet may have its head.
    pub users: u8,
}

impl Default for SkBuff {
    fn default() -> Self {
        Self {
            frame: Frame::default(),
            next: None,
            last: None,
            frames: 1,
            device: Device::Loopback,
            sum_with_copy: false,
            is_steered: false,
            fragments: None,
            joined: None,
            nfct: Nfct::Settled,
            is_cloned: false,
            truesize: 0,
            own: 0,
            head: ObjectId(0),
            buffer: None,
            offset: 0,
            unread: 0,
            address: AddrId::NONE,
            users: 1,
        }
    }
}

impl SkBuff {
    /// Fragments beside a linear head, where a sender's data are in pages of so many bytes: the pages that a
    /// packet of this host has bytes on; of one from a NIC each frame but the first.
    fn fragments(&self, page_bytes: u32) -> u16 {
        if let Some(fragments) = self.fragments {
            return fragments;
        }
        let fragments = match self.device {
            Device::Loopback => {
                let page = u64::from(page_bytes);
                let start = self.frame.segment.seq % page;
                (start + u64::from(self.len())).div_ceil(page) as u32
            }
            Device::Nic(_) => self.frames - 1,
        };
        u16::try_from(fragments).unwrap_or(u16::MAX)
    }

    /// The fragments that it has, with those that have joined it, once another one joins them too
    /// (`skb_try_coalesce`: what is in that one's head becomes a fragment).
    pub fn fragments_with(&self, next: &Self, page_bytes: u32) -> u16 {
        let linear = u16::from(matches!(next.device, Device::Nic(_)));
        self.joined
            .unwrap_or_else(|| self.fragments(page_bytes))
            .saturating_add(next.fragments(page_bytes))
            .saturating_add(linear)
            .max(1)
    }

    /// What is in a segment that continues it is in it from now on.
    pub fn take_in(&mut self, next: &Self) {
        let segment = &mut self.frame.segment;
        let further = &next.frame.segment;
        segment.len += further.len;
        segment.ack = further.ack;
        segment.window = further.window;
        segment.flags = segment.flags | further.flags;
        self.unread += further.len;
        self.frames += next.frames;
    }

    /// One that holds a frame, without memory yet.
    pub fn of(frame: Frame, device: Device) -> Self {
        Self {
            frame,
            device,
            own: frame.segment.len,
            unread: frame.segment.len,
            ..Self::default()
        }
    }

    /// A frame has come into its buffer: nothing is left of what it held.
    pub fn receive(&mut self, frame: Frame, device: Device) {
        *self = Self {
            head: self.head,
            buffer: self.buffer,
            address: self.address,
            ..Self::of(frame, device)
        };
    }

    /// Payload in bytes.
    pub fn len(&self) -> u32 {
        self.frame.segment.len
    }
}

impl Core {
    /// What is left of a descriptor that nobody needs.
    pub fn free_rx(&mut self, cpu: usize, RxBuffer { buffer, skb }: RxBuffer) {
        match skb {
            Some(skb) => self.free_skb(cpu, skb),
            None => self.free_buffer(cpu, buffer),
        }
    }

    /// The address of a buffer's memory in the recording.
    pub fn address_of(&mut self, buffer: BufferId) -> AddrId {
        let first = self.buffers[buffer].first;
        let address = DIRECT_MAP + u64::from(first.0) * 4096;
        self.recorder.record.address(address)
    }

    /// Writes down an event of a frame in a descriptor, which has so many bytes of headers; true
    /// when fields may follow.
    pub fn emit_frame(&mut self, cpu: usize, probe: Probe, rx: RxBuffer, headers: u32) -> bool {
        let RxBuffer { buffer, skb } = rx;
        let about = About {
            skb,
            ..About::NOTHING
        };
        if !self.emit(cpu, probe, about) {
            return false;
        }
        if skb.is_none() {
            let address = self.address_of(buffer);
            let len = self.buffers[buffer].frame.segment.len + headers;
            self.recorder.record.amend_packet(address, len);
        }
        true
    }

    /// What a NIC and RPS hash of a frame (`skb_get_hash`): its flow; of a fragment, which has no ports but the first,
    /// the addresses alone (`__skb_flow_dissect`, since 4.20 of the first too), and these are the same for all flows
    /// of a device.
    pub fn hash_of(&self, frame: &Frame, device: Device) -> u32 {
        match device {
            Device::Nic(nic) if frame.fragment.total > 0 => nic.index() as u32,
            _ => frame.from.map_or(0, |from| self.socks[from].flow),
        }
    }

    /// The piece, with those behind it, becomes the last of a packet's chain.
    pub fn append_piece(&mut self, first: SkbId, piece: SkbId) {
        let last = self.skbs[first].last.unwrap_or(first);
        self.skbs[last].next = Some(piece);
        self.skbs[first].last = self.skbs[piece].last.or(Some(piece));
    }

    /// A segment becomes the end of the one that it continues: both are one from now on.
    pub fn merge(&mut self, first: SkbId, piece: SkbId) {
        self.append_piece(first, piece);
        let piece = self.skbs[piece];
        self.skbs[first].take_in(&piece);
    }
}

/// The pieces of a packet's chain that have the next of its bytes that are unread.
#[derive(Debug)]
pub struct Pieces {
    piece: Option<SkbId>,
    skip: u32,
    left: u32,
}

impl Pieces {
    /// Those that so many bytes are in.
    pub fn of(packet: &SkBuff, skb: SkbId, bytes: u32) -> Self {
        Self {
            piece: Some(skb),
            skip: packet.len().saturating_sub(packet.unread),
            left: bytes,
        }
    }

    /// The next piece, from where in it the bytes are, and how many.
    pub fn next(&mut self, skbs: &Table<SkbId, SkBuff>) -> Option<(SkbId, u32, u32)> {
        while let Some(piece) = self.piece.filter(|_| self.left > 0) {
            let SkBuff { own, next, .. } = skbs[piece];
            self.piece = next;
            if self.skip < own {
                let (from, bytes) = (self.skip, self.left.min(own - self.skip));
                self.left -= bytes;
                self.skip = 0;
                return Some((piece, from, bytes));
            }
            self.skip -= own;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ids::NicId;

    /// How many of the packets that follow one in a queue join it.
    fn joined(packets: impl Iterator<Item = SkBuff>) -> usize {
        let mut packets = packets.peekable();
        let mut before = packets.next().unwrap();
        packets
            .map_while(|mut packet| {
                let fragments = before.fragments_with(&packet, 32_768);
                packet.joined = Some(fragments);
                before = packet;
                (fragments <= 17).then_some(())
            })
            .count()
    }

    fn packets(device: Device, len: u32, frames: u32) -> impl Iterator<Item = SkBuff> {
        (0..).map(move |index| {
            let segment = Segment {
                seq: 1 + index * u64::from(len),
                len,
                ..Segment::default()
            };
            let frame = Frame {
                segment,
                ..Frame::default()
            };
            SkBuff {
                frames,
                ..SkBuff::of(frame, device)
            }
        })
    }

    #[test]
    fn a_packet_takes_in_others_until_its_fragments_are_used_up() {
        let nic = Device::Nic(NicId::from_index(0));
        // A head and 17 fragments; GRO's packet of 44 frames has none left.
        assert_eq!(joined(packets(nic, 1448, 1)), 17);
        assert_eq!(joined(packets(nic, 1448 * 4, 4)), 3);
        assert_eq!(joined(packets(nic, 1448 * 44, 44)), 0);
        // Over the loopback device a segment of 65,483 bytes is on three pages, or on two.
        assert_eq!(joined(packets(Device::Loopback, 65_483, 1)), 5);
        assert_eq!(joined(packets(Device::Loopback, 8192, 1)), 13);
    }

    #[test]
    fn what_is_unread_is_in_the_pieces_behind_what_was_read() {
        let mut skbs = Table::default();
        let all: Vec<SkbId> = packets(Device::Loopback, 1000, 1)
            .take(3)
            .map(|packet| skbs.push(packet))
            .collect();
        for pair in all.windows(2) {
            skbs[pair[0]].next = Some(pair[1]);
        }
        let [_, second, third] = [0, 1, 2].map(|at| skbs[all[at]]);
        skbs[all[0]].take_in(&second);
        skbs[all[0]].take_in(&third);
        assert_eq!(skbs[all[0]].len(), 3000);
        let pieces = |skbs: &Table<SkbId, SkBuff>, bytes| {
            let mut pieces = Pieces::of(&skbs[all[0]], all[0], bytes);
            std::iter::from_fn(|| pieces.next(skbs)).collect::<Vec<_>>()
        };
        assert_eq!(pieces(&skbs, 600), [(all[0], 0, 600)]);
        skbs[all[0]].unread -= 600;
        let across = [(all[0], 600, 400), (all[1], 0, 100)];
        assert_eq!(pieces(&skbs, 500), across);
        skbs[all[0]].unread -= 500;
        assert_eq!(pieces(&skbs, 900), [(all[1], 100, 900)]);
        skbs[all[0]].unread -= 900;
        assert_eq!(
            pieces(&skbs, 9000),
            [(all[2], 0, 1000)],
            "no more than there is"
        );
    }
}
