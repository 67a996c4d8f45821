//! A connection: its control block, and what both ends agreed on about headers.
//!
//! Facts: `tcp_syn_options`, `tcp_synack_options`, `tcp_established_options`, `tcp_options_write`
//! of `net/ipv4/tcp_output.c` (v6.1); RFC 7323 §2 (window scale).

use crate::tcp::{Flags, SackBlocks, Segment, Tcb};

use super::script::{Packet, TcpOption};

/// Bytes of each segment that the timestamp option occupies.
const TIMESTAMP_BYTES: u16 = 12;

/// A connection of the host under test.
#[derive(Debug)]
pub struct Connection {
    pub tcb: Tcb,
    /// What our SYN announces: the MSS and the window scale.
    pub advertised_mss: u32,
    scale: u8,
    /// The window scale of received segments, once both SYNs had the option.
    peer_scale: Option<u8>,
    offers: Offers,
    /// The initial sequence numbers in the script.
    pub local_isn: u64,
    pub remote_isn: u64,
    /// Descriptor of the listening socket, until `accept` takes the connection.
    pub parent: Option<i64>,
    /// Whether no program holds the socket any more.
    pub is_orphan: bool,
    /// The error of the next call (`sk_err`).
    pub error: Option<&'static str>,
}

/// Options of a SYN, offered or agreed.
#[derive(Debug, Clone, Copy)]
pub struct Offers {
    pub timestamps: bool,
    pub sack: bool,
    pub scale: bool,
}

impl Connection {
    /// A connection that is about to send a SYN.
    pub fn new(tcb: Tcb, advertised_mss: u32, scale: u8, offers: Offers) -> Self {
        Self {
            tcb,
            advertised_mss,
            scale,
            peer_scale: None,
            offers,
            local_isn: 0,
            remote_isn: 0,
            parent: None,
            is_orphan: false,
            error: None,
        }
    }

    /// Takes the options that both ends support from the peer's SYN.
    pub fn agree(&mut self, syn: &Packet) {
        let options = syn.options.as_deref().unwrap_or_default();
        self.remote_isn = syn.seq;
        let has = |wanted: fn(&TcpOption) -> bool| options.iter().any(wanted);
        self.offers.timestamps &= has(|option| matches!(option, TcpOption::Timestamps(..)));
        self.offers.sack &= has(|option| matches!(option, TcpOption::SackPermitted));
        let scale = options.iter().find_map(|option| match option {
            TcpOption::Scale(scale) => Some(*scale),
            _ => None,
        });
        self.offers.scale &= scale.is_some();
        self.peer_scale = scale.filter(|_| self.offers.scale);
    }

    /// Converts a segment of the script to one with absolute sequence numbers for TCP.
    pub fn inbound(&self, packet: &Packet) -> Segment {
        let is_syn = packet.flags.contains(Flags::SYN);
        let scale = self.peer_scale.filter(|_| !is_syn).unwrap_or(0);
        let ack = packet.ack.unwrap_or(0).saturating_sub(self.local_isn);
        let mut segment = Segment {
            seq: packet.seq.saturating_sub(self.remote_isn),
            ack,
            len: packet.len,
            window: packet.window.unwrap_or(0) << scale.min(14),
            flags: packet.flags,
            ecn: packet.ecn.on_arrival(),
            ..Segment::default()
        };
        if is_syn {
            // Without the option the peer's MSS is 536 bytes (RFC 9293 §3.7.1).
            segment.mss = 536;
        }
        for option in packet.options.iter().flatten() {
            match option {
                TcpOption::Mss(mss) => segment.mss = *mss,
                TcpOption::SackPermitted => segment.sack_permitted = true,
                TcpOption::Timestamps(sent_at, echoed) => {
                    (segment.sent_at, segment.echoed) = (*sent_at, *echoed);
                }
                TcpOption::Sack(blocks) => segment.sack = self.blocks(blocks, ack),
                TcpOption::Nop | TcpOption::End | TcpOption::Scale(_) => {}
            }
        }
        if is_syn && self.offers.timestamps {
            segment.mss -= TIMESTAMP_BYTES.min(segment.mss);
        }
        segment
    }

    /// Converts SACK blocks; a block below the acknowledgment number (DSACK) is left out.
    fn blocks(&self, blocks: &[(u64, u64)], ack: u64) -> SackBlocks {
        let mut found = SackBlocks::default();
        for &(from, to) in blocks {
            let from = from.saturating_sub(self.local_isn);
            let to = to.saturating_sub(self.local_isn);
            if from >= ack && to > from {
                found.push((from - ack) as u32, (to - ack) as u32);
            }
        }
        found
    }

    /// The window field of an outgoing segment.
    pub fn window_field(&self, segment: &Segment) -> u32 {
        let is_scaled = self.offers.scale && !segment.flags.contains(Flags::SYN);
        let scale = if is_scaled { self.scale } else { 0 };
        (segment.window >> scale).min(65_535)
    }

    /// The options of an outgoing segment, in the kernel's order.
    pub fn options(&self, segment: &Segment) -> Vec<TcpOption> {
        use TcpOption::{Mss, Nop, Sack, SackPermitted, Scale, Timestamps};
        let mut options = Vec::new();
        if segment.flags.contains(Flags::RST) {
            return options;
        }
        let is_syn = segment.flags.contains(Flags::SYN);
        let has_sack_permitted = is_syn && self.offers.sack;
        if is_syn {
            options.push(Mss(self.advertised_mss.min(65_535) as u16));
        }
        if self.offers.timestamps {
            if has_sack_permitted {
                options.push(SackPermitted);
            } else {
                options.extend([Nop, Nop]);
            }
            options.push(Timestamps(segment.sent_at, segment.echoed));
        } else if has_sack_permitted {
            options.extend([Nop, Nop, SackPermitted]);
        }
        if is_syn && self.offers.scale {
            options.extend([Nop, Scale(self.scale)]);
        }
        if !segment.sack.is_empty() {
            let blocks = segment.sack.from_ack(segment.ack);
            let isn = self.remote_isn;
            let blocks = blocks.map(|(from, to)| (from + isn, to + isn));
            options.extend([Nop, Nop, Sack(blocks.collect())]);
        }
        options
    }
}
