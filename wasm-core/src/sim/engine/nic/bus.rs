//! I/O buses between NICs and memory: one frame at a time, inputs in turn.
//!
//! A bus serves those that want it round robin: the NICs on it and the buses behind which
//! it stands (PCI Local Bus Specification 2.2, section 3.4: a fair arbiter). A bridge keeps
//! one frame for the bus behind it; until that has gone on, the bus in front of it waits.
//!
//! Simplified here: a frame crosses as a whole with its descriptor and waits its turn in
//! the NIC; chips split bursts. A learner sees the same shares and the same limits.

use std::collections::VecDeque;

use crate::sim::config::machine::{Bus as Config, Machine, Nic as Model};
use crate::sim::time::SimTime;

use crate::sim::engine::nic::Flight;
use crate::sim::engine::{Engine, Happening};

/// What crosses a bus.
#[derive(Debug, Clone, Copy)]
pub enum Cargo {
    /// A received frame on its way to memory: the queue and the packet in the descriptor.
    Received(u16, u32),
    /// A frame on its way to the wire.
    Sending(Sending),
}

/// A frame that a chip fetches from memory.
#[derive(Debug, Clone, Copy)]
pub struct Sending {
    /// The frame.
    pub flight: Flight,
    /// Its NIC.
    pub nic: u8,
    /// Bytes on the wire.
    pub wire: u32,
    /// The packet that is sent with this frame's last bit, or none.
    pub last_of: Option<u32>,
}

/// A frame that waits or crosses.
#[derive(Debug, Clone, Copy)]
struct Transfer {
    bytes: u32,
    cargo: Cargo,
}

/// An input of a bus.
#[derive(Debug, Default)]
struct Input {
    waiting: VecDeque<Transfer>,
    /// The bus that hands its frames over here.
    from: Option<u8>,
}

/// A bus at work.
#[derive(Debug, Default)]
pub struct Bus {
    inputs: Vec<Input>,
    /// The input served last.
    last: usize,
    /// What crosses, or has crossed and waits for room behind.
    now: Option<Transfer>,
    has_crossed: bool,
    /// The bus behind it, and which input it is there.
    next: Option<(u8, u8)>,
}

impl Bus {
    /// A further input; its number.
    pub fn add_input(&mut self) -> u8 {
        self.inputs.push(Input::default());
        self.inputs.len() as u8 - 1
    }

    /// What waits or crosses.
    pub(crate) fn cargo(&self) -> impl Iterator<Item = Cargo> {
        let waiting = self.inputs.iter().flat_map(|input| &input.waiting);
        waiting.chain(&self.now).map(|transfer| transfer.cargo)
    }
}

/// The buses of a machine, each connected to the one behind it.
pub fn buses(machine: &Machine) -> Result<Vec<Bus>, String> {
    let mut buses: Vec<Bus> = machine.buses.iter().map(|_| Bus::default()).collect();
    for (index, config) in machine.buses.iter().enumerate() {
        let Some(name) = &config.behind else {
            continue;
        };
        let behind = position(machine, name)
            .filter(|&behind| behind > index)
            .ok_or_else(|| {
                let name = &machine.name;
                format!("machine {name}: buses.{index}.behind: no later bus has this name")
            })?;
        let input = buses[behind].add_input();
        buses[behind].inputs[usize::from(input)].from = Some(index as u8);
        buses[index].next = Some((behind as u8, input));
    }
    Ok(buses)
}

/// The bus that the `index`th NIC of a host sits on; None where no bus costs anything.
pub fn bus_of(machine: &Machine, model: &Model, index: usize) -> Result<Option<u8>, String> {
    let Some(name) = model.buses.get(index).or(model.buses.last()) else {
        return Ok(None);
    };
    let bus = position(machine, name).ok_or_else(|| {
        let machine = &machine.name;
        format!("machine {machine}: nics.buses: no bus is called {name}")
    })?;
    Ok(Some(bus as u8))
}

fn position(machine: &Machine, name: &str) -> Option<usize> {
    machine.buses.iter().position(|bus| bus.name == name)
}

/// Time that so many bytes keep a bus.
fn busy(config: &Config, bytes: u32) -> SimTime {
    let fs = u128::from(bytes) * 1_000_000_000_000_000 / u128::from(config.bytes_per_second);
    SimTime(fs as u64 + config.frame_overhead_ns * 1_000_000)
}

impl Engine {
    /// A frame of a NIC wants to cross the buses between it and memory.
    pub(crate) fn cross(&mut self, host: usize, nic: u8, bytes: u32, cargo: Cargo) {
        let Some((bus, input)) = self.hosts[host].nics[usize::from(nic)].bus else {
            self.crossed(host, cargo);
            return;
        };
        let state = &mut self.hosts[host].buses[usize::from(bus)];
        let transfer = Transfer { bytes, cargo };
        state.inputs[usize::from(input)].waiting.push_back(transfer);
        self.serve(host, bus);
    }

    /// An idle bus takes the next frame, from the input whose turn it is.
    fn serve(&mut self, host: usize, bus: u8) {
        let state = &mut self.hosts[host].buses[usize::from(bus)];
        if state.now.is_some() {
            return;
        }
        let count = state.inputs.len();
        let turns = (1..=count).map(|step| (state.last + step) % count);
        let Some((input, transfer)) = turns.into_iter().find_map(|input| {
            let transfer = state.inputs[input].waiting.pop_front()?;
            Some((input, transfer))
        }) else {
            return;
        };
        state.last = input;
        state.now = Some(transfer);
        let from = state.inputs[input].from;
        let config = &self.hosts[host].machine.buses[usize::from(bus)];
        let due = self.now + busy(config, transfer.bytes);
        self.at(due, Happening::BusDone(host as u8, bus));
        if let Some(from) = from {
            self.hand_over(host, from);
        }
    }

    /// A frame has crossed a bus.
    pub(crate) fn bus_done(&mut self, host: usize, bus: u8) {
        self.hosts[host].buses[usize::from(bus)].has_crossed = true;
        self.hand_over(host, bus);
    }

    /// A frame that has crossed a bus goes on, as soon as there is room behind.
    fn hand_over(&mut self, host: usize, bus: u8) {
        let state = &self.hosts[host].buses[usize::from(bus)];
        if !state.has_crossed {
            return;
        }
        let next = state.next;
        if let Some((behind, input)) = next {
            let there = &self.hosts[host].buses[usize::from(behind)];
            if !there.inputs[usize::from(input)].waiting.is_empty() {
                return;
            }
        }
        let state = &mut self.hosts[host].buses[usize::from(bus)];
        state.has_crossed = false;
        let Some(transfer) = state.now.take() else {
            return;
        };
        if let Some((behind, input)) = next {
            let there = &mut self.hosts[host].buses[usize::from(behind)];
            there.inputs[usize::from(input)].waiting.push_back(transfer);
            self.serve(host, behind);
            self.serve(host, bus);
        } else {
            self.serve(host, bus);
            self.crossed(host, transfer.cargo);
        }
    }

    /// A frame has crossed all buses.
    fn crossed(&mut self, host: usize, cargo: Cargo) {
        match cargo {
            Cargo::Received(queue, pkt) => self.in_memory(host, queue, pkt),
            Cargo::Sending(sending) => self.on_wire(host, sending),
        }
    }
}
