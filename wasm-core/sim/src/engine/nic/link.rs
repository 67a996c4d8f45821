//! The wires between hosts: frames under way, and what happens to them there.

use crate::engine::core::Core;
use crate::engine::events::Event;
use crate::engine::ids::{FlightId, NicId, Table};
use crate::engine::memory::skbuff::Frame;
use crate::time::SimTime;

/// A frame on the wire.
#[derive(Debug, Clone, Copy)]
pub struct Flight {
    /// The host and the NIC where it arrives.
    pub to: (usize, NicId),
    /// What it says.
    pub frame: Frame,
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
}

/// The wires of a world.
#[derive(Debug, Default)]
pub struct Link {
    loss_permille: u32,
    reorder_permille: u32,
    /// Faults of the next frame to the watched host: from when, what.
    pub faults: Vec<(SimTime, FrameFault)>,
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
        let mut arrival = arrival;
        if self.loss_permille > 0 && core.rng.happens(self.loss_permille) {
            self.lost += 1;
            return;
        }
        if self.reorder_permille > 0 && core.rng.happens(self.reorder_permille) {
            // Three frames overtake it: enough for three duplicate acknowledgements.
            arrival.0 += 4 * frame_fs;
        }
        match self.fault(core.now(), flight.to.0) {
            None => {}
            Some(FrameFault::Drop) => {
                self.lost += 1;
                return;
            }
            Some(FrameFault::Delay(by)) => arrival.0 += by.0,
            Some(FrameFault::Duplicate) => {
                self.duplicated += 1;
                let flight = self.keep(flight);
                core.at(SimTime(arrival.0 + frame_fs), Event::Arrive { flight });
            }
        }
        let flight = self.keep(flight);
        core.at(arrival, Event::Arrive { flight });
    }

    /// What happens to a frame that sets off now.
    fn fault(&mut self, now: SimTime, to: usize) -> Option<FrameFault> {
        if self.faults.is_empty() || to != 0 {
            return None;
        }
        let due = self.faults.iter().position(|&(from, _)| from <= now)?;
        Some(self.faults.remove(due).1)
    }

    fn keep(&mut self, flight: Flight) -> FlightId {
        if let Some(free) = self.free.pop() {
            self.flights[free] = flight;
            return free;
        }
        self.flights.push(flight)
    }
}
