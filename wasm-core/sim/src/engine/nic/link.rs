//! The links between hosts: frames in flight, and the faults that befall them.

use std::collections::{BTreeMap, VecDeque};

use crate::engine::core::Core;
use crate::engine::events::Event;
use crate::engine::ids::{FlightId, NicId, SockId, Table};
use crate::engine::memory::skbuff::Frame;
use crate::time::SimTime;

/// A frame in flight on a link.
#[derive(Debug, Clone, Copy)]
pub struct Flight {
    /// The host and the NIC that receive it.
    pub to: (usize, NicId),
    /// The frame's contents.
    pub frame: Frame,
    /// An injected fault, if any.
    pub fault: Option<FrameFault>,
}

/// The effect of an injected fault on a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameFault {
    /// It is lost.
    Drop,
    /// It arrives later by this time.
    Delay(SimTime),
    /// It arrives twice.
    Duplicate,
    /// It arrives after so many later frames.
    Reorder(u32),
    /// Its payload is corrupted.
    Damage,
}

/// A fault that waits for a frame.
#[derive(Debug, Clone, Copy)]
pub struct Armed {
    /// The earliest time at which it applies.
    pub from: SimTime,
    /// Whether it applies to a frame that the watched host sends, or to one that it receives.
    pub is_sent: bool,
    /// The fault.
    pub fault: FrameFault,
}

/// A frame that is held back until later ones have overtaken it.
#[derive(Debug, Clone, Copy)]
struct Overtaken {
    flight: FlightId,
    /// Number of frames still to overtake it.
    by: u32,
    /// The latest time at which it arrives.
    until: SimTime,
}

/// Maximum time that a frame is held back, as a sender may have nothing more to send.
const LONGEST_OVERTAKEN: SimTime = SimTime::from_us(1000);

/// The links of a world.
#[derive(Debug, Default)]
pub struct Link {
    loss_permille: u32,
    reorder_permille: u32,
    /// Pending faults of the watched host's frames.
    pub faults: Vec<Armed>,
    overtaken: Vec<Overtaken>,
    /// Recorded arrival times of the next data frames from a socket, and the number of frames at each.
    recorded: BTreeMap<SockId, VecDeque<(SimTime, u32)>>,
    /// Number of frames lost.
    pub lost: u64,
    /// Number of frames duplicated.
    pub duplicated: u64,
    flights: Table<FlightId, Flight>,
    free: Vec<FlightId>,
}

impl Link {
    /// Links that lose and reorder so many frames in a thousand.
    pub fn new(loss_permille: u32, reorder_permille: u32) -> Self {
        Self {
            loss_permille,
            reorder_permille,
            ..Self::default()
        }
    }

    /// Data frames from a socket arrive at recorded times: for each packet a list that alternates times in µs
    /// and numbers of frames. Only the receiver is then modelled.
    pub fn recorded(&mut self, from: SockId, packets: &[Vec<u32>]) {
        let times = packets.iter().flat_map(|packet| packet.chunks_exact(2));
        let times = times.map(|pair| (SimTime::from_us(u64::from(pair[0])), pair[1]));
        self.recorded.insert(from, times.collect());
    }

    /// The arrival time of a frame: `arrival`, or the recorded time if that is later.
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

    /// Number of frames in flight.
    pub fn under_way(&self) -> usize {
        self.flights.len() - self.free.len()
    }

    /// Takes a frame out of flight on its arrival.
    pub fn land(&mut self, flight: FlightId) -> Flight {
        self.free.push(flight);
        self.flights[flight]
    }

    /// Sends a frame onto the link, which may lose it. `frame_fs` is its serialisation time in fs.
    pub fn fly(&mut self, core: &mut Core, flight: Flight, arrival: SimTime, frame_fs: u64) {
        let mut arrival = self.as_recorded(&flight.frame, arrival);
        if self.loss_permille > 0 && core.rng.happens(self.loss_permille) {
            self.lost += 1;
            return;
        }
        if self.reorder_permille > 0 && core.rng.happens(self.reorder_permille) {
            // Three later frames overtake it: enough for three duplicate acknowledgements.
            arrival.0 += 4 * frame_fs;
        }
        let fault = flight.fault;
        let mut flight = Flight {
            fault: None,
            ..flight
        };
        flight.frame.is_damaged |= fault == Some(FrameFault::Damage);
        if fault.is_none_or(|fault| self.apply_fault(core, fault, flight, arrival, frame_fs)) {
            let to = flight.to.0;
            let flight = self.keep(flight);
            core.at(arrival, Event::Arrive { flight });
            if to != 0 {
                self.overtakes(core, to, arrival);
            }
        }
    }

    /// Takes the fault that is due for the next frame that the watched host sends or receives.
    pub fn due(&mut self, now: SimTime, is_sent: bool) -> Option<FrameFault> {
        let is_due = |armed: &Armed| armed.from <= now && armed.is_sent == is_sent;
        let due = self.faults.iter().position(is_due)?;
        Some(self.faults.remove(due).fault)
    }

    /// Applies a fault to a frame that would arrive at `arrival`; returns whether it still arrives then. A
    /// corrupted payload is marked in the frame by the caller.
    pub fn apply_fault(
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

    /// A frame to host `to` arrives at `arrival`: frames that it overtakes as the last required one arrive
    /// after it.
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

    /// Delivers a held-back frame whose time has run out.
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
