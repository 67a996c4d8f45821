//! Service against wait: when a CPU worked on a packet, told from the order of
//! the CPU's events alone.
//!
//! Each CPU has one packet in hand at each level of its nesting. The time from one
//! event of the CPU to the next goes to the packet in hand at the level that runs.
//! A packet is put down when another one's event comes at that level, when the
//! softirq, poll, handler or system call is over, or, once it stands in a queue,
//! at the first event of anything else. Simplified here: work between two events
//! is credited whole to the packet of the first, as nothing tells where it ended;
//! a learner would see a little less service where the CPU went on to do
//! something that has no probe.

use crate::blocks;
use crate::kernel::{CpuId, EventIdx, Nanos, PacketId, Probe, Verdict};
use crate::run::{Level, Nesting, Run};

use super::Journeys;

/// What one CPU worked on: a step function of time, as columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// Whose work.
    pub cpu: CpuId,
    /// When each step begins.
    pub from: Vec<Nanos>,
    /// The stay (its place in [`Journeys::stays`]) worked on in this step, or [`Work::NOTHING`].
    pub stay: Vec<u32>,
    /// The packet of that stay, or none.
    pub packet: Vec<PacketId>,
}

impl Work {
    /// On no packet.
    pub const NOTHING: u32 = u32::MAX;

    /// The stay and the packet that the CPU works on at a time.
    pub fn at(&self, time: Nanos) -> (u32, PacketId) {
        match self.from.partition_point(|&from| from <= time) {
            0 => (Self::NOTHING, PacketId::NONE),
            after => (self.stay[after - 1], self.packet[after - 1]),
        }
    }

    /// The CPU works on a stay from one time to another, not before what was added last.
    fn add(&mut self, from: Nanos, to: Nanos, stay: u32, packet: PacketId) {
        if self.from.last() == Some(&from) {
            self.from.pop();
            self.stay.pop();
            self.packet.pop();
        }
        if self.stay.last() != Some(&stay) {
            self.push(from, stay, packet);
        }
        self.push(to, Self::NOTHING, PacketId::NONE);
    }

    fn push(&mut self, from: Nanos, stay: u32, packet: PacketId) {
        self.from.push(from);
        self.stay.push(stay);
        self.packet.push(packet);
    }
}

/// Sets the service of every stay. Where the record names no CPU (a 2005 line), a
/// stay is all service at a station and all wait in a queue. What the stack consumed
/// ends here too, when a CPU last worked on it.
pub(super) fn attribute(run: &Run, journeys: &mut Journeys) {
    let mut put_down = vec![Nanos::default(); journeys.stays.len()];
    blocks::each(journeys.stays.len(), |at| {
        let stay = &mut journeys.stays[at];
        let is_unplaced = !stay.cpu.is_known() && !stay.station.is_queue();
        stay.service = if is_unplaced { stay.duration() } else { 0 };
    });
    journeys.begun = in_order(run, journeys);
    let work = work(run, journeys);
    for work in &work {
        blocks::each(work.stay.len(), |step| {
            let stay = work.stay[step];
            if stay != Work::NOTHING {
                let (from, to) = (work.from[step], work.from[step + 1]);
                journeys.stays[stay as usize].service += to.since(from);
                put_down[stay as usize] = put_down[stay as usize].max(to);
            }
        });
    }
    // What ends here ends no sooner than the work on it.
    end_consumed(journeys, &put_down);
    journeys.work = work;
}

/// An ACK has done its work when the CPU puts it down. Its memory is freed without a word,
/// and what is heard of the address next may be another packet's end, long after.
fn end_consumed(journeys: &mut Journeys, put_down: &[Nanos]) {
    // Not before what merged into it.
    let mut grew_at = vec![Nanos::default(); journeys.packets.len()];
    for packet in &journeys.packets {
        if let Verdict::Merged { into } = packet.verdict
            && let Some(grew_at) = grew_at.get_mut(into.at())
        {
            *grew_at = packet.end.max(*grew_at);
        }
    }
    for (packet, grew_at) in journeys.packets.iter_mut().zip(grew_at) {
        if packet.verdict != Verdict::Consumed || packet.stays.is_empty() {
            continue;
        }
        let last = packet.stays.end as usize - 1;
        let stay = &mut journeys.stays[last];
        if stay.cpu.is_known() && !stay.station.is_queue() {
            stay.leave = put_down[last].max(stay.enter).max(grew_at);
            packet.end = packet.end.min(stay.leave);
        }
    }
}

/// What each CPU of the run worked on, in ascending order of the CPUs.
pub(crate) fn work(run: &Run, journeys: &Journeys) -> Vec<Work> {
    let cpus = run.cpus();
    let highest = cpus.last().map_or(0, |cpu| usize::from(cpu.0));
    let mut place = vec![usize::MAX; highest + 1];
    let mut hands = Vec::with_capacity(cpus.len());
    for cpu in cpus {
        place[usize::from(cpu.0)] = hands.len();
        hands.push(Hands::new(cpu));
    }
    let mut begun = Begun::of(journeys);
    run.each(|index| {
        let stay = begun.stay_at(journeys, index);
        let cpu = run.cpu[index.at()];
        if cpu.is_known() {
            hands[place[usize::from(cpu.0)]].pass(run, journeys, &begun, index, stay);
        }
    });
    hands.into_iter().map(|hands| hands.work).collect()
}

/// The stays in the order of the events that began them.
fn in_order(run: &Run, journeys: &Journeys) -> Vec<u32> {
    let stays = &journeys.stays;
    // For each event how many stays begin before it, then where the next one that begins with it goes.
    let mut next = vec![0; run.len() + 1];
    blocks::each(stays.len(), |at| next[stays[at].event.at() + 1] += 1);
    blocks::each(run.len(), |at| next[at + 1] += next[at]);
    let mut order = vec![0; stays.len()];
    blocks::each(stays.len(), |at| {
        let place = &mut next[stays[at].event.at()];
        order[*place as usize] = at as u32;
        *place += 1;
    });
    order
}

/// Which stays have begun, walked through in the order of the events.
struct Begun {
    /// How many.
    next: usize,
    packet_of: Vec<PacketId>,
    /// The stay that each packet began last.
    latest: Vec<u32>,
}

impl Begun {
    fn of(journeys: &Journeys) -> Self {
        let mut packet_of = vec![PacketId::NONE; journeys.stays.len()];
        journeys.each(|packet| {
            let range = &journeys.packets[packet.at()].stays;
            packet_of[range.start as usize..range.end as usize].fill(packet);
        });
        Self {
            next: 0,
            packet_of,
            latest: vec![Work::NOTHING; journeys.packets.len()],
        }
    }

    /// The stay that the event is about: one that it begins, or the one in which its packet is.
    fn stay_at(&mut self, journeys: &Journeys, index: EventIdx) -> u32 {
        let packet = journeys.packet_of[index.at()];
        let mut chosen = Work::NOTHING;
        while let Some(&stay) = journeys.begun.get(self.next) {
            if journeys.stays[stay as usize].event > index {
                break;
            }
            self.next += 1;
            let owner = self.packet_of[stay as usize];
            self.latest[owner.at()] = stay;
            if chosen == Work::NOTHING || owner == packet {
                chosen = stay;
            }
        }
        if chosen == Work::NOTHING && packet.is_some() {
            chosen = self.latest[packet.at()];
        }
        chosen
    }
}

/// One CPU and what it has in hand at each level.
struct Hands {
    work: Work,
    nesting: Nesting,
    in_hand: [u32; 3],
    last_event: Nanos,
}

impl Hands {
    fn new(cpu: CpuId) -> Self {
        Self {
            work: Work {
                cpu,
                from: Vec::new(),
                stay: Vec::new(),
                packet: Vec::new(),
            },
            nesting: Nesting::default(),
            in_hand: [Work::NOTHING; 3],
            last_event: Nanos::default(),
        }
    }

    fn pass(&mut self, run: &Run, journeys: &Journeys, begun: &Begun, index: EventIdx, stay: u32) {
        if run.probe[index.at()].tells_a_state() {
            return;
        }
        let time = run.time(index);
        self.credit(journeys, begun, time);
        self.last_event = time;

        let level = self.nesting.pass(run, index) as usize;
        let probe = run.probe[index.at()];
        let is_about_a_packet = stay != Work::NOTHING || journeys.packet_of[index.at()].is_some();
        if matches!(probe, Probe::SchedSwitch | Probe::LostEvents) {
            self.in_hand = [Work::NOTHING; 3];
        } else if is_about_a_packet {
            let is_here =
                stay != Work::NOTHING && journeys.stays[stay as usize].cpu == self.work.cpu;
            self.in_hand[level] = if is_here { stay } else { Work::NOTHING };
        } else if puts_down(probe) {
            self.in_hand[level] = Work::NOTHING;
        } else {
            let held = self.in_hand[level];
            if held != Work::NOTHING && journeys.stays[held as usize].station.is_queue() {
                self.in_hand[level] = Work::NOTHING;
            }
        }
    }

    /// Credits the time since the last event to the stay in hand, as far as it lasts.
    fn credit(&mut self, journeys: &Journeys, begun: &Begun, time: Nanos) {
        let held = self.in_hand[self.nesting.running() as usize];
        if held == Work::NOTHING {
            return;
        }
        let stay = &journeys.stays[held as usize];
        let from = self.last_event.max(stay.enter);
        let to = time.min(stay.leave);
        if from < to {
            self.work
                .add(from, to, held, begun.packet_of[held as usize]);
        }
    }
}

/// Whether the softirq, poll, handler or system call in which a packet was in hand is over.
const fn puts_down(probe: Probe) -> bool {
    matches!(
        probe,
        Probe::IrqHandlerEntry
            | Probe::IrqHandlerExit
            | Probe::SoftirqEntry
            | Probe::SoftirqExit
            | Probe::NapiPoll
            | Probe::DriverPollRet
            | Probe::SysEnter
            | Probe::SysExit
            | Probe::SysRecvfrom
            | Probe::SysRecvfromRet
            | Probe::SysSendto
            | Probe::TcpRecvmsgRet
            | Probe::UdpRecvmsgRet
            | Probe::TcpRecvmsg
            | Probe::UdpRecvmsg
    )
}

const _: () = assert!(
    Level::Hardirq as usize == 2,
    "in_hand has a place for each level"
);
