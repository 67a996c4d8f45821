//! The wires between hosts: frames under way, and what happens to them there.

use std::collections::{BTreeMap, VecDeque};

use crate::engine::core::Core;
use crate::engine::events::Event;
use crate::engine::ids::{FlightId, NicId, SockId, Table};
use crate::engine::memory::skbuff::Frame;
use crate::time::SimTime;

/// A frame on the wire.
#[derive(Debug, Clone, Copy)]
pub struct Flight {
    /// The host and the NIC where it arrives.
    pub to: (usize, NicId),
    /// What it says.
    pub frame: Frame,
    /// What is to happen to it on the link by hand.
    pub fault: Option<FrameFault>,
}

/// What a fault by hand does to a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameFault {
    /// It is lost.
    Drop,
    /// It comes later.
    Delay(SimTime),
    /// It comes twice.
    Duplicate,
    /// It comes behind so many others.
    Reorder(u32),
    /// Its payload is not what was sent.
    Damage,
}

/// A fault that waits for its frame.
#[derive(Debug, Clone, Copy)]
pub struct Armed {
    /// From when on.
    pub from: SimTime,
    /// Whether the watched host sends the frame; else it receives it.
    pub is_sent: bool,
    /// What happens to it.
    pub fault: FrameFault,
}

/// A frame that others overtake.
#[derive(Debug, Clone, Copy)]
struct Overtaken {
    flight: FlightId,
    /// By so many more.
    by: u32,
    /// Until then at the latest.
    until: SimTime,
}

/// How long a frame waits at most for others to overtake it: a sender may have nothing more to send.
const LONGEST_OVERTAKEN: SimTime = SimTime::from_us(1000);

/// The wires of a world.
#[derive(Debug, Default)]
pub struct Link {
    loss_permille: u32,
    reorder_permille: u32,
    /// Faults of frames of the watched host.
    pub faults: Vec<Armed>,
    overtaken: Vec<Overtaken>,
    /// Times that a recording has for the next frames with data from a socket, and how many come then.
    recorded: BTreeMap<SockId, VecDeque<(SimTime, u32)>>,
    /// Frames lost.
    pub lost: u64,
    /// Frames that came twice.
    pub duplicated: u64,
    flights: Table<FlightId, Flight>,
    free: Vec<FlightId>,
}

impl Link {
    /// Wires that lose and reorder so many frames of a thousand.
    pub fn new(loss_permille: u32, reorder_permille: u32) -> Self {
        Self {
            loss_permille,
            reorder_permille,
            ..Self::default()
        }
    }

    /// The frames with data from a socket come when a recording has them: for each packet, in turn, times
    /// in µs and how many come then. So only who receives them is modelled.
    pub fn recorded(&mut self, from: SockId, packets: &[Vec<u32>]) {
        let times = packets.iter().flat_map(|packet| packet.chunks_exact(2));
        let times = times.map(|pair| (SimTime::from_us(u64::from(pair[0])), pair[1]));
        self.recorded.insert(from, times.collect());
    }

    /// When a frame arrives that would at `arrival`.
    fn as_recorded(&mut self, frame: &Frame, arrival: SimTime) -> SimTime {
        let from = frame.from.filter(|_| frame.segment.len > 0);
        let Some(times) = from.and_then(|from| self.recorded.get_mut(&from)) else {
            return arrival;
        };
        let Some((time, left)) = times.front_mut() else {
            return arrival;
        };
        let arrival = arrival.max(*time);
        *left = left.saturating_sub(1);
        if *left == 0 {
            times.pop_front();
        }
        arrival
    }

    /// Frames under way.
    pub fn under_way(&self) -> usize {
        self.flights.len() - self.free.len()
    }

    /// A frame arrives.
    pub fn land(&mut self, flight: FlightId) -> Flight {
        self.free.push(flight);
        self.flights[flight]
    }

    /// Sets a frame off, unless the link loses it. `frame_fs` is how long it takes on the wire.
    pub fn fly(&mut self, core: &mut Core, flight: Flight, arrival: SimTime, frame_fs: u64) {
        let mut arrival = self.as_recorded(&flight.frame, arrival);
        if self.loss_permille > 0 && core.rng.happens(self.loss_permille) {
            self.lost += 1;
            return;
        }
        if self.reorder_permille > 0 && core.rng.happens(self.reorder_permille) {
            // Three frames overtake it: enough for three duplicate acknowledgements.
            arrival.0 += 4 * frame_fs;
        }
        let fault = flight.fault;
        let mut flight = Flight {
            fault: None,
            ..flight
        };
        flight.frame.is_damaged |= fault == Some(FrameFault::Damage);
        if fault.is_none_or(|fault| self.befalls(core, fault, flight, arrival, frame_fs)) {
            let to = flight.to.0;
            let flight = self.keep(flight);
            core.at(arrival, Event::Arrive { flight });
            if to != 0 {
                self.overtakes(core, to, arrival);
            }
        }
    }

    /// The fault that is due for the next frame that the watched host sends or receives.
    pub fn due(&mut self, now: SimTime, is_sent: bool) -> Option<FrameFault> {
        let is_due = |armed: &Armed| armed.from <= now && armed.is_sent == is_sent;
        let due = self.faults.iter().position(is_due)?;
        Some(self.faults.remove(due).fault)
    }

    /// A fault befalls a frame that would arrive at `arrival`; whether it still arrives then. Damage is done
    /// where the frame is, not here.
    pub fn befalls(
        &mut self,
        core: &mut Core,
        fault: FrameFault,
        flight: Flight,
        arrival: SimTime,
        frame_fs: u64,
    ) -> bool {
        match fault {
            FrameFault::Damage => return true,
            FrameFault::Drop => self.lost += 1,
            FrameFault::Delay(by) => {
                let flight = self.keep(flight);
                core.at(SimTime(arrival.0 + by.0), Event::Arrive { flight });
            }
            FrameFault::Duplicate => {
                self.duplicated += 1;
                let flight = self.keep(flight);
                core.at(SimTime(arrival.0 + frame_fs), Event::Arrive { flight });
                return true;
            }
            FrameFault::Reorder(by) => {
                let flight = self.keep(flight);
                let until = SimTime(arrival.0 + LONGEST_OVERTAKEN.0);
                self.overtaken.push(Overtaken { flight, by, until });
                core.at(until, Event::LetGo { flight });
            }
        }
        false
    }

    /// A frame to a host arrives then: those that it overtakes as the last one arrive behind it.
    pub fn overtakes(&mut self, core: &mut Core, to: usize, arrival: SimTime) {
        let flights = &self.flights;
        self.overtaken.retain_mut(|overtaken| {
            let flight = overtaken.flight;
            overtaken.by -= u32::from(flights[flight].to.0 == to);
            if overtaken.by == 0 {
                core.at(arrival, Event::Arrive { flight });
            }
            overtaken.by > 0
        });
    }

    /// A frame has waited long enough for others to overtake it.
    pub fn let_go(&mut self, core: &mut Core, flight: FlightId) {
        let now = core.now();
        let waits = |one: &Overtaken| one.flight == flight && one.until == now;
        if let Some(waiting) = self.overtaken.iter().position(waits) {
            self.overtaken.remove(waiting);
            core.at(now, Event::Arrive { flight });
        }
    }

    fn keep(&mut self, flight: Flight) -> FlightId {
        if let Some(free) = self.free.pop() {
            self.flights[free] = flight;
            return free;
        }
        self.flights.push(flight)
    }
}

#[cfg(test)]
mod tests;
