//! What a beat says: from the run's events, journeys, queues and caches, never from its title.

mod sending;

use crate::journey::{Flow, Packet, Stay};
use crate::kernel::{EventIdx, Field, Nanos, Origin, PacketId, Pid, Probe, Station, Verdict};
use crate::replay::{NO_QUEUE, Replay};
use crate::saying::Saying;

use super::Told;
use super::beats::{Beat, What};
use super::cues::{Cue, CueKind};
use super::words::{self as say};

/// A beat in sayings.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// In a few words.
    pub short: Saying,
    /// In a sentence.
    pub plain: Saying,
    /// In the kernel's words: the function and where it ran.
    pub kernel: Saying,
    /// Why, or what comes next.
    pub why: Option<Saying>,
}

/// Says a beat.
pub fn said(replay: &Replay, told: &Told, beat: &Beat) -> Said {
    let teller = Teller { replay, told };
    let (plain, short, why) = match beat.what {
        What::Follows => teller.follows(beat),
        What::Ends => teller.ends(beat.packet),
        What::Cue(at) => teller.cue(&told.cues[at as usize]),
        What::Comes(stay) => teller.comes(beat.packet, stay),
    };
    Said {
        short,
        plain,
        kernel: teller.kernel(beat.event),
        why,
    }
}

/// A sentence, the same in short, and what explains it.
type Telling = (Saying, Saying, Option<Saying>);

struct Teller<'run> {
    replay: &'run Replay,
    told: &'run Told,
}

impl Teller<'_> {
    fn packet(&self, packet: PacketId) -> &Packet {
        &self.replay.journeys.packets[packet.at()]
    }

    fn kernel(&self, event: EventIdx) -> Saying {
        let event = self.replay.run.event(event);
        if !event.cpu.is_known() {
            return say::kernel_bare(event.probe);
        }
        say::kernel(event.probe, event.cpu, event.context.name().to_owned())
    }

    fn follows(&self, beat: &Beat) -> Telling {
        let row = self.packet(beat.packet);
        let merged = |packet: &Packet| packet.verdict == Verdict::Merged { into: beat.packet };
        let before = self.told.acts.partition_point(|act| act.from < beat.time);
        let last = before
            .checked_sub(1)
            .and_then(|at| self.told.acts[at].packet);
        if last.is_some_and(|last| merged(self.packet(last))) {
            let short = say::short_goes_on(beat.packet);
            return (say::goes_on(beat.packet), short, None);
        }
        let bytes = u64::from(row.bytes);
        let plain = match self.replay.journeys.flow(row.flow) {
            Some(Flow { .. }) => say::follows(beat.packet, bytes, row.flow.0),
            None => say::follows_bare(beat.packet, bytes),
        };
        let piece = self.replay.journeys.piece(beat.packet);
        let why = piece.map(|piece| say::why_pieces(u64::from(piece.of)));
        (plain, say::short_follows(beat.packet), why)
    }

    fn ends(&self, packet: PacketId) -> Telling {
        let row = self.packet(packet);
        let took = row.end.since(row.start);
        let journeys = &self.replay.journeys;
        match row.verdict {
            Verdict::Delivered { pid, .. } => {
                let plain = if pid == Pid::UNKNOWN {
                    say::delivered_bare(took)
                } else {
                    say::delivered(pid, took)
                };
                let why = say::why_took(journeys.wait(packet).min(took));
                (plain, say::short_delivered(), Some(why))
            }
            Verdict::Merged { into } if into.is_some() && row.fragment.is_none() => {
                (say::merged(into), say::short_merged(), None)
            }
            Verdict::Merged { into } => (say::joined(into), say::short_merged(), None),
            Verdict::Dropped { reason } => {
                let stays = journeys.stays(packet);
                let station = stays.last().map_or(Station::Wire, |stay| stay.station);
                let plain = say::dropped(packet, station, reason);
                (
                    plain,
                    say::short_dropped(reason),
                    self.full(row.end, packet),
                )
            }
            Verdict::Transmitted => (say::transmitted(took), say::short_transmitted(), None),
            Verdict::Consumed | Verdict::Open => {
                let pieces = self.cut_from(packet);
                if pieces > 0 {
                    (say::cut(pieces), say::short_cut(), None)
                } else {
                    (say::consumed(), say::short_consumed(), None)
                }
            }
        }
    }

    fn cut_from(&self, whole: PacketId) -> u64 {
        let all = &self.replay.journeys.packets;
        let near = &all[whole.at()..all.len().min(whole.at() + 256)];
        near.iter().filter(|row| row.cut_from == whole).count() as u64
    }

    /// The event of a drop says how full the socket was; a model's says it of any queue.
    fn full(&self, time: Nanos, packet: PacketId) -> Option<Saying> {
        let run = &self.replay.run;
        let events = self.replay.journeys.events(packet).iter().rev();
        let mut near = events.copied().chain(self.near(time));
        near.find_map(|event| {
            let number = |field| run.field(event, field).filter(|&value| value > 0);
            if let (Some(depth), Some(limit)) = (number(Field::Rmem), number(Field::Rcvbuf)) {
                return Some(say::why_full(u64::from(depth), u64::from(limit)));
            }
            let (depth, limit) = (number(Field::Depth)?, number(Field::Limit)?);
            Some(say::why_full_packets(u64::from(depth), u64::from(limit)))
        })
    }

    /// The events of the microsecond before a time that tell of a socket.
    fn near(&self, time: Nanos) -> impl Iterator<Item = EventIdx> {
        let run = &self.replay.run;
        let from = run.first_at(Nanos(time.0.saturating_sub(5_000)));
        let to = run.first_at(Nanos(time.0 + 1));
        (from.0..to.0)
            .map(EventIdx)
            .filter(|event| run.probe[event.at()] == Probe::SockRcvqueueFull)
            .collect::<Vec<_>>()
            .into_iter()
    }

    fn cue(&self, cue: &Cue) -> Telling {
        let run = &self.replay.run;
        let stay = &self.replay.journeys.stays[cue.stay as usize];
        let waited = cue.time.since(stay.enter);
        let cpu = run.cpu[cue.event.at()];
        let pid = |field| run.field(cue.event, field).map_or(Pid::UNKNOWN, Pid);
        match cue.kind {
            CueKind::Interrupt => {
                let why = match self.depth(cue.stay, cue.time) {
                    Some((depth, _)) if depth > 1 => say::why_held(u64::from(depth)).inferred(),
                    _ => say::why_interrupt(),
                };
                (
                    say::interrupt(cpu, waited),
                    say::short_interrupt(cpu),
                    Some(why),
                )
            }
            CueKind::Softirq if stay.station == Station::Backlog => {
                (say::softirq_backlog(cpu), say::short_softirq(cpu), None)
            }
            CueKind::Softirq => {
                let why = self.polled(cue.event).map(say::why_poll);
                (say::softirq(cpu), say::short_softirq(cpu), why)
            }
            CueKind::Wakeup => {
                let why = say::why_asleep(waited);
                (
                    say::wakes(pid(Field::TargetPid)),
                    say::short_wakes(),
                    Some(why),
                )
            }
            CueKind::Runs => {
                let why = say::why_asleep(waited);
                (
                    say::runs(pid(Field::NextPid), cpu),
                    say::short_runs(),
                    Some(why),
                )
            }
            CueKind::Preempted => {
                let (task, by) = (pid(Field::PrevPid), pid(Field::NextPid));
                (say::preempted(task, by, cpu), say::short_preempted(), None)
            }
        }
    }

    /// How many frames the poll takes that begins with this softirq.
    fn polled(&self, softirq: EventIdx) -> Option<u64> {
        /// A poll's end is at most so many events after the softirq's beginning.
        const AHEAD: usize = 4096;
        let run = &self.replay.run;
        let cpu = run.cpu[softirq.at()];
        let ahead = softirq.at()..run.len().min(softirq.at() + AHEAD);
        let mut mine = ahead
            .map(|at| EventIdx(at as u32))
            .filter(|event| run.cpu[event.at()] == cpu);
        let poll = mine.find(|event| run.probe[event.at()] == Probe::NapiPoll)?;
        let work = run.field(poll, Field::Work).filter(|&work| work > 0)?;
        Some(u64::from(work))
    }

    /// Depth and limit of the queue of a stay at a time.
    fn depth(&self, stay: u32, time: Nanos) -> Option<(u32, u32)> {
        let queue = self.replay.places.queue(stay as usize);
        let queue = (queue != NO_QUEUE).then(|| &self.replay.queues[usize::from(queue)])?;
        Some(queue.at(time)).filter(|&(depth, _)| depth > 0)
    }

    fn comes(&self, packet: PacketId, at: u32) -> Telling {
        let row = self.packet(packet);
        let stay = &self.replay.journeys.stays[at as usize];
        let before = (row.stays.start < at).then(|| &self.replay.journeys.stays[at as usize - 1]);
        if stay.station.direction() == crate::kernel::Direction::Transmit {
            return self.goes_down(row, stay, at);
        }
        match stay.station {
            Station::Wire => (say::on_wire(), say::short_leaves(), None),
            Station::RxRing => {
                let plain = match self.depth(at, stay.enter) {
                    Some((depth, _)) => say::arrives(u64::from(depth)),
                    None => say::arrives_bare(),
                };
                (plain, say::short_arrives(), Some(say::why_ring()))
            }
            Station::Driver | Station::Gro => polls(stay, before),
            Station::NetCore => (say::net_core(), say::short_net_core(), None),
            Station::Backlog => {
                let home = self.replay.places.cpu(
                    self.replay.journeys.stays(packet),
                    row.stays.start as usize,
                    (at - row.stays.start) as usize,
                );
                let plain = if home.is_known() && stay.cpu.is_known() && home != stay.cpu {
                    say::backlog_across(stay.cpu, home)
                } else {
                    say::backlog(stay.cpu)
                };
                (plain, say::short_backlog(), None)
            }
            Station::Ip if before.is_some_and(|before| before.station == Station::Reassembly) => {
                let first = self.first_piece(packet);
                let took = stay.enter.since(first.unwrap_or(row.start));
                let pieces = u64::from(row.parts.max(2));
                (say::whole(pieces, took), say::short_whole(), None)
            }
            Station::Ip => (say::ip(), say::short_ip(), None),
            Station::Reassembly => self.fragment(packet, stay.enter),
            Station::Tcp => (say::tcp(), say::short_tcp(), None),
            Station::Udp => (say::udp(), say::short_udp(), None),
            Station::Transport => (say::transport(), say::short_transport(), None),
            Station::SocketBacklog => {
                let why = Some(say::why_released());
                (say::socket_backlog(), say::short_socket_backlog(), why)
            }
            Station::Prequeue => (say::prequeue(), say::short_prequeue(), None),
            Station::OutOfOrder => (say::out_of_order(), say::short_out_of_order(), None),
            Station::ReceiveQueue => self.queued(stay, at),
            Station::Process
            | Station::SendCall
            | Station::WriteQueue
            | Station::TcpSend
            | Station::UdpSend
            | Station::TransportSend
            | Station::IpSend
            | Station::Qdisc
            | Station::DriverSend
            | Station::TxRing
            | Station::WireSend => self.copies(row, stay, before),
        }
    }

    fn first_piece(&self, whole: PacketId) -> Option<Nanos> {
        let all = &self.replay.journeys.packets;
        let from = whole.at().saturating_sub(256);
        let is_part = |row: &&Packet| row.verdict == Verdict::Merged { into: whole };
        all[from..whole.at()]
            .iter()
            .find(is_part)
            .map(|row| row.start)
    }

    fn fragment(&self, packet: PacketId, time: Nanos) -> Telling {
        let short = say::short_fragment();
        let Some(piece) = self.replay.journeys.piece(packet) else {
            return (say::fragment_bare(), short, None);
        };
        let journeys = &self.replay.journeys;
        let group = self.packet(packet).fragment.map(|fragment| fragment.group);
        let all = &journeys.packets;
        let near = packet.at().saturating_sub(64)..all.len().min(packet.at() + 64);
        let is_here = |at: &usize| {
            all[*at].fragment.map(|fragment| fragment.group) == group
                && journeys
                    .stays(PacketId(*at as u32))
                    .iter()
                    .any(|stay| stay.station == Station::Reassembly && stay.enter <= time)
        };
        let here = near.filter(is_here).count() as u64;
        let of = u64::from(piece.of);
        let why = (here < of).then(|| say::why_missing(here, of - here));
        (say::fragment(u64::from(piece.number), of), short, why)
    }

    fn queued(&self, stay: &Stay, at: u32) -> Telling {
        let queue = self.replay.places.queue(at as usize);
        let queue = (queue != NO_QUEUE).then(|| &self.replay.queues[usize::from(queue)]);
        let is_bytes = queue.is_some_and(|queue| queue.unit == "bytes");
        let plain = match queue.map(|queue| queue.at(stay.enter)) {
            Some((depth, limit)) if is_bytes && depth > 0 && limit > 0 => {
                say::queued_of(u64::from(depth), u64::from(limit))
            }
            Some((depth, _)) if is_bytes && depth > 0 => say::queued_bytes(u64::from(depth)),
            Some((depth, _)) if depth > 0 => say::queued_packets(u64::from(depth)),
            _ => say::queued(),
        };
        (plain, say::short_queued(), Some(say::why_reader()))
    }

    fn copies(&self, row: &Packet, stay: &Stay, before: Option<&Stay>) -> Telling {
        let bytes = u64::from(if row.payload > 0 {
            row.payload
        } else {
            row.bytes
        });
        let plain = match row.verdict {
            Verdict::Delivered { pid, .. } if pid != Pid::UNKNOWN => say::copies(pid, bytes),
            _ => say::copies_bare(bytes),
        };
        let handled = before.map(|before| before.cpu);
        let crossed =
            handled.filter(|&from| from.is_known() && stay.cpu.is_known() && from != stay.cpu);
        let moved = self.replay.machine.caches.moved(stay.enter, stay.leave);
        let priced = moved
            .filter(|moved| moved.to == stay.cpu)
            .max_by_key(|moved| moved.lines)
            .map(|moved| say::why_lines(moved.lines, moved.from, moved.cycles));
        // A recording has no event of a cache: that lines cross follows from where it was handled.
        let inferred = || crossed.map(|from| say::why_crossed(from, stay.cpu).inferred());
        let why = if self.replay.run.origin == Origin::Simulated && priced.is_some() {
            priced
        } else {
            priced.or_else(inferred)
        };
        (plain, say::short_copies(), why)
    }
}

/// A CPU has the frame: out of the ring, or from the driver.
fn polls(stay: &Stay, before: Option<&Stay>) -> Telling {
    match before {
        Some(ring) if ring.station == Station::RxRing => {
            let plain = say::polled(stay.cpu, ring.duration());
            (plain, say::short_polled(), Some(say::gro()))
        }
        _ if stay.station == Station::Gro => (say::gro(), say::short_gro(), None),
        _ => (say::driver(stay.cpu), say::short_driver(), None),
    }
}
