//! When a packet passed the layer boundaries that the 2005 toolkit probed: its ids
//! 1 to 10 (Demter et al. 2005, section 4.2), in its own records and at the
//! functions where these boundaries are today.
//!
//! A packet that went on inside another (GRO, reassembly, TCP's coalescing) passes
//! the later boundaries with that one; one that was cut from another passed the
//! earlier ones with that. The toolkit saw it so too: two segments, one read.

use std::collections::BTreeMap;

use crate::kernel::{EventIdx, Nanos, PacketId, Probe, Verdict};
use crate::replay::Replay;

/// From one id of the toolkit to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    /// The id where it begins.
    pub from: u8,
    /// The id where it ends.
    pub to: u8,
}

/// The hops that are measured: each layer on the way down, all of them, then up.
pub const HOPS: [Hop; 10] = [
    Hop { from: 1, to: 2 },
    Hop { from: 2, to: 3 },
    Hop { from: 3, to: 4 },
    Hop { from: 4, to: 5 },
    Hop { from: 1, to: 5 },
    Hop { from: 6, to: 7 },
    Hop { from: 7, to: 8 },
    Hop { from: 8, to: 9 },
    Hop { from: 9, to: 10 },
    Hop { from: 6, to: 10 },
];

/// The probes of each id from 1, the best first: that of the toolkit, then where
/// the boundary is today (v6.1, v6.12). At 6 a packet that GRO merged is seen last
/// when it enters GRO. At 10 the return of the read counts, see [`Passages::of`].
const PROBES: [&[Probe]; 10] = [
    &[Probe::TpsSocket, Probe::SysSendto],
    &[Probe::TpsSocketTrans, Probe::TcpSendmsg, Probe::UdpSendmsg],
    &[Probe::TpsTransIp, Probe::IpQueueXmit, Probe::IpSendSkb],
    &[
        Probe::TpsIpNet,
        Probe::DevQueueXmit,
        Probe::NetDevQueue,
        Probe::IpFinishOutput2,
    ],
    &[Probe::TpsNet, Probe::NdoStartXmit, Probe::NetDevStartXmit],
    &[
        Probe::TprNet,
        Probe::NetifReceiveSkb,
        Probe::NetifReceiveSkbCore,
        Probe::NapiGroReceiveEntry,
        Probe::NapiGroReceive,
    ],
    &[
        Probe::TprNetIp,
        Probe::IpLocalDeliver,
        Probe::IpRcv,
        Probe::IpRcvCore,
    ],
    &[Probe::TprIpTrans, Probe::TcpV4Rcv, Probe::UdpRcv],
    &[
        Probe::TprTransSocket,
        Probe::TcpQueueRcv,
        Probe::UdpEnqueueScheduleSkb,
        Probe::TcpPrequeue,
        Probe::TcpAddBacklog,
    ],
    &[
        Probe::TprSocket,
        Probe::SkbConsumeUdp,
        Probe::SkbCopyDatagramIter,
        Probe::SkbCopyDatagramIovec,
    ],
];

/// When one piece of a packet passed each id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passages {
    /// Which piece.
    pub piece: u32,
    /// The time of each id, from 1 on.
    at: Times,
    /// Of these the ids that it passed itself, not inside another packet.
    is_own: [bool; 10],
}

/// The time of each id.
type Times = [Option<Nanos>; 10];

impl Passages {
    /// The passages of every piece of a packet.
    pub fn of(replay: &Replay, packet: PacketId) -> Vec<Self> {
        let mut pieces = Self::own(replay, packet);
        // A piece that was put together with others goes on as the first of them.
        let together: Times =
            std::array::from_fn(|id| pieces.iter().filter_map(|piece| piece.at[id]).max());
        for piece in &mut pieces {
            piece.go_on_with(&together);
        }
        for into in replay.journeys.goes_on_in(packet) {
            if let Some(head) = Self::own(replay, into).first() {
                for piece in &mut pieces {
                    piece.go_on_with(&head.at);
                }
            }
        }
        for whole in replay.journeys.comes_from(packet) {
            if let Some(whole) = Self::own(replay, whole).first() {
                for piece in &mut pieces {
                    piece.come_from(&whole.at);
                }
            }
        }
        pieces
    }

    /// When an id was passed.
    pub fn at(&self, id: u8) -> Option<Nanos> {
        self.at[usize::from(id) - 1]
    }

    /// When a hop began and ended, if both were seen. A hop that was made inside
    /// another packet is that one's: on the way up a packet counts the hops that it
    /// began itself, on the way down those that it ended itself.
    pub fn hop(&self, hop: Hop) -> Option<(Nanos, Nanos)> {
        let (from, to) = (self.at(hop.from)?, self.at(hop.to)?);
        let counted = if hop.to <= 5 { hop.to } else { hop.from };
        let is_own = self.is_own[usize::from(counted) - 1];
        (is_own && from <= to).then_some((from, to))
    }

    const fn new(piece: u32) -> Self {
        Self {
            piece,
            at: [None; 10],
            is_own: [false; 10],
        }
    }

    /// What the packet's own events tell.
    fn own(replay: &Replay, packet: PacketId) -> Vec<Self> {
        let (run, journeys) = (&replay.run, &replay.journeys);
        let mut pieces: Vec<Self> = Vec::new();
        if replay.has_pieces(packet) {
            let mut places: BTreeMap<u32, usize> = BTreeMap::new();
            for stay in journeys.stays(packet) {
                let place = *places.entry(stay.piece).or_insert_with(|| {
                    pieces.push(Self::new(stay.piece));
                    pieces.len() - 1
                });
                pieces[place].see(replay, stay.event);
            }
        } else {
            let mut piece = Self::new(0);
            // An id that is passed twice counts where it was passed first, by its best probe.
            for (id, probes) in PROBES.iter().enumerate() {
                let events = journeys.events(packet);
                let with =
                    |probe: &Probe| events.iter().find(|event| run.probe[event.at()] == *probe);
                let event = probes.iter().find_map(with);
                piece.at[id] = event.map(|&event| run.time(event));
            }
            pieces.push(piece);
        }
        if let Verdict::Delivered { read, .. } = journeys.packets[packet.at()].verdict {
            let is_whole = pieces.len() == 1;
            for piece in &mut pieces {
                if is_whole || piece.at[9].is_some() {
                    piece.at[9] = Some(run.time(read));
                }
            }
        }
        for piece in &mut pieces {
            piece.is_own = piece.at.map(|time| time.is_some());
        }
        pieces
    }

    fn see(&mut self, replay: &Replay, event: EventIdx) {
        let probe = replay.run.probe[event.at()];
        let id = PROBES.iter().position(|probes| probes.contains(&probe));
        if let Some(id) = id {
            self.at[id].get_or_insert(replay.run.time(event));
        }
    }

    /// The ids that this piece did not pass itself after its last.
    fn go_on_with(&mut self, other: &Times) {
        let Some(last) = (0..10).rev().find(|&id| self.at[id].is_some()) else {
            return;
        };
        let since = self.at[last];
        // What was sent is not read: only on loopback is a packet both.
        let same_way = if last < 5 { 5 } else { 10 };
        let later = self.at[..same_way].iter_mut().zip(other).skip(last + 1);
        for (own, &other) in later {
            *own = other.filter(|_| other >= since);
        }
    }

    /// The ids that it passed while it was part of another.
    fn come_from(&mut self, whole: &Times) {
        let Some(first) = (0..10).find(|&id| self.at[id].is_some()) else {
            return;
        };
        let until = self.at[first];
        for (own, &whole) in self.at.iter_mut().zip(whole).take(first.min(5)) {
            *own = whole.filter(|_| whole <= until);
        }
    }
}
