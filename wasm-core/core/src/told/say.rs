//! The sentences of a beat, derived from the run's events, journeys, queues and caches, never from its title.

mod consuming;
mod following;
mod full;
mod locks;
mod merging;
mod reading;
mod sending;
mod waiting;

use crate::intervention::words as by_hand;
use crate::journey::{Packet, Stay};
use crate::kernel::{Context, CpuId, DropReason, Field, Nanos, PacketId, Pid, Station, Verdict};
use crate::replay::{Queue, Replay};
use crate::saying::Saying;

use super::Told;
use super::beats::{Beat, What};
use super::cues::{Cue, CueKind};
use super::words::{self as say};
use full::Full;

/// The sentences of a beat.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// A few words.
    pub short: Saying,
    /// A full sentence.
    pub plain: Saying,
    /// In kernel terms: the function, and where it ran.
    pub kernel: Saying,
    /// The reason, or what follows.
    pub why: Option<Saying>,
    /// Whether the few words say all that the sentence does: where there is room for one sentence beside them, it is the
    /// reason.
    pub is_said_short: bool,
}

/// The sentences of a beat.
pub fn said(replay: &Replay, told: &Told, beat: &Beat) -> Said {
    let teller = Teller { replay, told };
    let (plain, short, why) = match beat.what {
        What::Intervenes(at) => {
            let one = told.interventions[at as usize];
            (one.plain(), one.short(), Some(by_hand::same_before()))
        }
        What::Follows => teller.follows(beat),
        What::Ends => teller.ends(beat.packet),
        What::Cue(at) => teller.cue(&told.cues[at as usize]),
        What::Comes(stay) => teller.comes(beat.packet, stay),
        What::Waits(at) => teller.waits(&told.waits[at as usize]),
    };
    Said {
        short,
        plain,
        kernel: teller.kernel(beat),
        why,
        is_said_short: teller.is_said_short(beat),
    }
}

/// A sentence, a short form, and an explanation.
type Telling = (Saying, Saying, Option<Saying>);

struct Teller<'run> {
    replay: &'run Replay,
    told: &'run Told,
}

impl Teller<'_> {
    fn packet(&self, packet: PacketId) -> &Packet {
        &self.replay.journeys.packets[packet.at()]
    }

    /// Of a drop the few words have the reason, which is all that the sentence has beside where it happens.
    fn is_said_short(&self, beat: &Beat) -> bool {
        let verdict = self.replay.journeys.packets.get(beat.packet.at());
        let is_dropped = verdict.is_some_and(|row| matches!(row.verdict, Verdict::Dropped { .. }));
        beat.what == What::Ends && is_dropped
    }

    fn kernel(&self, beat: &Beat) -> Saying {
        if matches!(beat.what, What::Intervenes(_)) {
            return by_hand::kernel(beat.time.0);
        }
        let event = self.replay.run.event(beat.event);
        let full = (beat.what == What::Ends).then(|| self.full(beat.packet));
        if let Some(full) = full.flatten().filter(Full::is_past) {
            let (depth, limit) = (u64::from(full.depth), u64::from(full.limit));
            return say::kernel_past(full.function, event.cpu, depth, limit);
        }
        if !event.cpu.is_known() {
            return say::kernel_bare(event.probe);
        }
        say::kernel(event.probe, event.cpu, event.context.name().to_owned())
    }

    fn ends(&self, packet: PacketId) -> Telling {
        let row = self.packet(packet);
        let journeys = &self.replay.journeys;
        let took = row.end.since(journeys.set_out(packet));
        match row.verdict {
            Verdict::Delivered { pid, .. } => {
                let plain = if pid == Pid::UNKNOWN {
                    say::delivered_bare(took)
                } else if journeys.is_call_unknown(packet) {
                    say::delivered_about(pid, took)
                } else {
                    say::delivered(pid, took)
                };
                let why = say::why_took(journeys.wait(packet).min(took));
                (plain, say::short_delivered(), Some(why))
            }
            Verdict::Merged { into } if into.is_some() && row.fragment.is_none() => {
                let why = self.why_merged(packet, into);
                (say::merged(into), say::short_merged(), why)
            }
            Verdict::Merged { into } if into.is_some() => {
                (say::joined(into), say::short_merged(), None)
            }
            Verdict::Merged { .. } => {
                let last = journeys.stays(packet).last();
                let is_by_gro = last.is_some_and(|stay| stay.station == Station::Gro);
                let plain = if is_by_gro {
                    say::merged_bare()
                } else {
                    say::joined_bare()
                };
                (plain, say::short_merged(), None)
            }
            Verdict::Dropped { reason } => {
                let stays = journeys.stays(packet);
                let station = stays.last().map_or(Station::Wire, |stay| stay.station);
                let plain = say::dropped(packet, station, reason);
                let known = if reason == DropReason::FragReasmTimeout {
                    self.never_came(packet)
                } else {
                    self.full(packet).map(|full| full.why())
                };
                let why = known.or_else(|| Some(say::why_dropped(reason)));
                (plain, say::short_dropped(reason), why)
            }
            Verdict::Transmitted => {
                let why = self.completion(packet);
                let plain = match self.told.nics.other(self.replay, packet) {
                    _ if why.is_some() => say::transmitted(took),
                    Some(device) => say::handed_to_device(device, took),
                    None => say::handed_over(took),
                };
                (plain, say::short_transmitted(), why)
            }
            Verdict::Consumed | Verdict::Open => {
                let pieces = journeys.cut_into(packet).len() as u64;
                if journeys.is_cut_for_reader(packet) {
                    let plain = say::cut_for_reader(pieces);
                    (plain, say::short_cut_for_reader(), None)
                } else if pieces > 0 {
                    (say::cut(pieces), say::short_cut(), None)
                } else {
                    (self.consumed(packet), say::short_consumed(), None)
                }
            }
        }
    }

    fn cue(&self, cue: &Cue) -> Telling {
        let run = &self.replay.run;
        let stay = &self.replay.journeys.stays[cue.stay as usize];
        let waited = cue.time.since(stay.enter);
        let cpu = self.cpu(cue);
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
                let why = self.polled(cue).map(say::why_poll);
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
                let why = self.waits_for_reader(cue);
                (say::preempted(task, by, cpu), say::short_preempted(), why)
            }
            CueKind::Spins => self.spins(cue.event),
        }
    }

    /// The CPU that a cue happens on.
    fn cpu(&self, cue: &Cue) -> CpuId {
        self.replay.run.cpu[cue.event.at()]
    }

    /// The depth of the queue of a preempted reader, as a sentence.
    fn waits_for_reader(&self, pushed: &Cue) -> Option<Saying> {
        let (index, queue) = self.replay.queue_of_stay(pushed.stay)?;
        let (depth, _) = queue.at(pushed.time);
        let depth = u64::from(depth);
        match (depth, queue.unit) {
            (0, _) => None,
            (_, "bytes") => Some(say::why_bytes_wait(depth, index)),
            _ => Some(say::why_packets_wait(depth, index)),
        }
    }

    /// The number of frames taken by the poll that takes this cue's packet from the ring.
    fn polled(&self, softirq: &Cue) -> Option<u64> {
        let run = &self.replay.run;
        let taken = self.replay.journeys.stays.get(softirq.stay as usize + 1)?;
        let poll = self
            .replay
            .poll_after(taken.event, run.cpu[softirq.event.at()])?;
        let work = run.field(poll, Field::Work).filter(|&work| work > 0)?;
        Some(u64::from(work))
    }

    /// The queue of a stay.
    fn queue(&self, stay: u32) -> Option<&Queue> {
        let (_, queue) = self.replay.queue_of_stay(stay)?;
        Some(queue)
    }

    /// Depth and limit of the queue of a stay at a time; `None` if empty.
    fn depth(&self, stay: u32, time: Nanos) -> Option<(u32, u32)> {
        Some(self.queue(stay)?.at(time)).filter(|&(depth, _)| depth > 0)
    }

    fn comes(&self, packet: PacketId, at: u32) -> Telling {
        let row = self.packet(packet);
        let stay = &self.replay.journeys.stays[at as usize];
        let before = self.replay.journeys.before(packet, at);
        if stay.station.direction() == crate::kernel::Direction::Transmit {
            return self.goes_down(row, stay, at);
        }
        match before {
            Some(ring) if ring.station == Station::RxRing => {
                return self.leaves_ring(ring, at);
            }
            Some(backlog) if backlog.station == Station::Backlog => {
                return Self::leaves_backlog(backlog, stay);
            }
            _ => {}
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
            Station::Driver => (say::driver(stay.cpu), say::short_driver(), None),
            Station::Xdp => (say::xdp(stay.cpu), say::short_xdp(), None),
            Station::Gro => self.comes_up(row, stay, at),
            Station::NetCore => {
                let why = before.and_then(|before| self.leaves_gro(packet, before, stay));
                (say::net_core(), say::short_net_core(), why)
            }
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
            Station::Ip if before.is_some_and(|before| before.becomes_whole_in(stay)) => {
                let parts = self.replay.growth.parts_of(packet);
                let first = parts.map(|part| self.packet(part).start).min();
                let took = stay.enter.since(first.unwrap_or(row.start).min(row.start));
                let pieces = u64::from(row.parts.max(2));
                (say::whole(packet, pieces, took), say::short_whole(), None)
            }
            Station::Ip => (say::ip(), say::short_ip(), None),
            Station::Reassembly => self.fragment(packet, stay),
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
            | Station::WireSend => self.copies(packet, row, at),
        }
    }

    fn queued(&self, stay: &Stay, at: u32) -> Telling {
        let queue = self.queue(at);
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

    /// A CPU takes the packet from its backlog to the first station after it.
    fn leaves_backlog(backlog: &Stay, stay: &Stay) -> Telling {
        let plain = say::leaves_backlog(stay.cpu, backlog.duration());
        (
            plain,
            say::short_net_core(),
            Some(after_queue(stay.station)),
        )
    }

    /// A CPU takes the frame from the ring to the first station after it, and what it does with it there.
    fn leaves_ring(&self, ring: &Stay, at: u32) -> Telling {
        let stays = &self.replay.journeys.stays;
        let stay = &stays[at as usize];
        let (cpu, waited) = (stay.cpu, ring.duration());
        let is_softirq = self.replay.run.context[stay.event.at()] == Context::Softirq;
        let plain = if is_softirq {
            say::polled_in_softirq(cpu, waited)
        } else {
            say::polled(cpu, waited)
        };
        let next = match (stay.station, stay.next(at as usize)) {
            (Station::Driver, Some(next)) => &stays[next],
            _ => stay,
        };
        let why = match next.station {
            Station::Driver => say::driver(next.cpu),
            Station::Gro => {
                let (looks, _, decides) = self.comes_to_gro(next);
                decides.unwrap_or(looks)
            }
            station => after_queue(station),
        };
        (plain, say::short_polled(), Some(why))
    }
}

/// The function of the first station after a ring or backlog; a recording may lack some.
fn after_queue(station: Station) -> Saying {
    match station {
        Station::Ip => say::ip(),
        Station::Tcp => say::tcp(),
        Station::Udp => say::udp(),
        Station::Transport => say::transport(),
        _ => say::net_core(),
    }
}
