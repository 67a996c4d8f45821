//! I/O buses between NICs and memory: one frame at a time, inputs served round robin.
//!
//! A bus serves its masters round robin: the NICs on it and the bridges of buses that end at it (PCI Local Bus
//! Specification 2.2, section 3.4: a fair arbiter). A bridge buffers one frame for the bus behind it; until
//! that has been forwarded, the bus in front of it waits.
//!
//! Simplified ("buses and the card's memory"): a frame crosses as a whole, with its descriptor, and waits in the NIC;
//! real NICs split it into bursts. A learner sees the same shares and the same limits.

use std::collections::VecDeque;

use crate::config::machine::{Bus as Config, Machine, Nic as Model};
use crate::engine::ids::{BufferId, NicId, QueueId, SkbId};
use crate::engine::memory::skbuff::RxBuffer;
use crate::time::SimTime;

use super::link::Flight;

/// What crosses a bus.
#[derive(Debug, Clone, Copy)]
pub enum Cargo {
    /// A received frame on its way to memory: into the buffer of a descriptor.
    Received { queue: QueueId, rx: RxBuffer },
    /// A frame on its way to the NIC, to be sent.
    Sending(Sending),
}

/// What holds the memory of a frame to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// In an `sk_buff`.
    Skb(SkbId),
    /// A buffer without an `sk_buff` (XDP).
    Bare(BufferId),
}

impl Held {
    /// The `sk_buff`, if there is one.
    pub fn skb(self) -> Option<SkbId> {
        match self {
            Self::Skb(skb) => Some(skb),
            Self::Bare(_) => None,
        }
    }
}

/// A frame that a NIC fetches from memory.
#[derive(Debug, Clone, Copy)]
pub struct Sending {
    /// The frame and its destination.
    pub flight: Flight,
    /// The NIC that sends it.
    pub nic: NicId,
    /// Bytes that it occupies on the wire.
    pub wire: u32,
    /// The memory that is released when this frame, the packet's last, is on the wire; else `None`.
    pub last_of: Option<Held>,
}

/// A frame that waits for a bus or crosses it.
#[derive(Debug, Clone, Copy)]
struct Transfer {
    bytes: u32,
    cargo: Cargo,
}

/// An input of a bus.
#[derive(Debug, Default)]
struct Input {
    waiting: VecDeque<Transfer>,
    /// The bus whose bridge leads to this input; `None` for a NIC.
    from: Option<u8>,
}

/// The state of a bus.
#[derive(Debug)]
struct Bus {
    config: Config,
    inputs: Vec<Input>,
    /// The input that was served last.
    last: usize,
    /// The frame that crosses, or that has crossed and waits for the next bridge.
    under_way: Option<Transfer>,
    has_crossed: bool,
    /// The bus behind it, and the input of that bus which it feeds.
    next: Option<(u8, u8)>,
}

/// A change of state of the buses.
#[derive(Debug, Clone, Copy)]
pub enum Progress {
    /// A bus is busy with a frame until this time.
    Busy { bus: u8, until: SimTime },
    /// A frame has crossed all buses.
    Crossed(Cargo),
}

/// The buses of a machine.
#[derive(Debug, Default)]
pub struct Buses {
    all: Vec<Bus>,
    progress: Vec<Progress>,
}

impl Buses {
    /// The buses of a machine, each connected to the one behind it. Fails if `behind` does not name a later
    /// bus.
    pub fn new(machine: &Machine) -> Result<Self, String> {
        let mut all: Vec<Bus> = machine.buses.iter().cloned().map(Bus::new).collect();
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
            let input = all[behind].add_input();
            all[behind].inputs[usize::from(input)].from = Some(index as u8);
            all[index].next = Some((behind as u8, input));
        }
        Ok(Self {
            all,
            progress: Vec::new(),
        })
    }

    /// Connects another NIC to the bus that its model names; returns bus and input, `None` if buses cost no
    /// time.
    pub fn plug_in(
        &mut self,
        machine: &Machine,
        model: &Model,
        index: usize,
    ) -> Result<Option<(u8, u8)>, String> {
        let Some(name) = model.buses.get(index).or(model.buses.last()) else {
            return Ok(None);
        };
        let bus = position(machine, name).ok_or_else(|| {
            let machine = &machine.name;
            format!("machine {machine}: nics.buses: no bus is called {name}")
        })?;
        Ok(Some((bus as u8, self.all[bus].add_input())))
    }

    /// The frames that wait or cross.
    pub fn cargo(&self) -> impl Iterator<Item = Cargo> {
        self.all.iter().flat_map(|bus| {
            let waiting = bus.inputs.iter().flat_map(|input| &input.waiting);
            waiting.chain(&bus.under_way).map(|transfer| transfer.cargo)
        })
    }

    /// Enqueues a frame of `bytes` bytes at an input of a bus.
    pub fn cross(&mut self, (bus, input): (u8, u8), bytes: u32, cargo: Cargo, now: SimTime) {
        let transfer = Transfer { bytes, cargo };
        let state = &mut self.all[usize::from(bus)];
        state.inputs[usize::from(input)].waiting.push_back(transfer);
        self.serve(bus, now);
    }

    /// A frame has crossed a bus.
    pub fn done(&mut self, bus: u8, now: SimTime) {
        self.all[usize::from(bus)].has_crossed = true;
        self.hand_over(bus, now);
    }

    /// Takes the changes since the last call, in order.
    pub fn take_progress(&mut self) -> Vec<Progress> {
        std::mem::take(&mut self.progress)
    }

    /// Returns the taken vector, so that its memory is reused.
    pub fn keep(&mut self, mut progress: Vec<Progress>) {
        if self.progress.is_empty() {
            progress.clear();
            self.progress = progress;
        }
    }

    /// An idle bus serves the next frame, round robin over its inputs.
    fn serve(&mut self, bus: u8, now: SimTime) {
        let state = &mut self.all[usize::from(bus)];
        if state.under_way.is_some() {
            return;
        }
        let count = state.inputs.len();
        let mut turns = (1..=count).map(|step| (state.last + step) % count);
        let Some((input, transfer)) = turns.find_map(|input| {
            let transfer = state.inputs[input].waiting.pop_front()?;
            Some((input, transfer))
        }) else {
            return;
        };
        state.last = input;
        state.under_way = Some(transfer);
        let from = state.inputs[input].from;
        let until = now + busy(&state.config, transfer.bytes);
        self.progress.push(Progress::Busy { bus, until });
        if let Some(from) = from {
            self.hand_over(from, now);
        }
    }

    /// Hands a frame that has crossed a bus to the next one, once the bridge is free.
    fn hand_over(&mut self, bus: u8, now: SimTime) {
        let state = &self.all[usize::from(bus)];
        if !state.has_crossed {
            return;
        }
        let next = state.next;
        if let Some((behind, input)) = next
            && !self.all[usize::from(behind)].inputs[usize::from(input)]
                .waiting
                .is_empty()
        {
            return;
        }
        let state = &mut self.all[usize::from(bus)];
        state.has_crossed = false;
        let Some(transfer) = state.under_way.take() else {
            return;
        };
        if let Some((behind, input)) = next {
            let there = &mut self.all[usize::from(behind)];
            there.inputs[usize::from(input)].waiting.push_back(transfer);
            self.serve(behind, now);
            self.serve(bus, now);
        } else {
            self.serve(bus, now);
            self.progress.push(Progress::Crossed(transfer.cargo));
        }
    }
}

impl Bus {
    /// An idle bus without inputs.
    fn new(config: Config) -> Self {
        Self {
            config,
            inputs: Vec::new(),
            last: 0,
            under_way: None,
            has_crossed: false,
            next: None,
        }
    }

    /// A further input; its number.
    fn add_input(&mut self) -> u8 {
        self.inputs.push(Input::default());
        self.inputs.len() as u8 - 1
    }
}

fn position(machine: &Machine, name: &str) -> Option<usize> {
    machine.buses.iter().position(|bus| bus.name == name)
}

/// Time for which `bytes` bytes occupy a bus.
fn busy(config: &Config, bytes: u32) -> SimTime {
    let fs = u128::from(bytes) * 1_000_000_000_000_000 / u128::from(config.bytes_per_second);
    SimTime(fs as u64 + config.frame_overhead_ns * 1_000_000)
}

#[cfg(test)]
mod tests {
    use crate::engine::ids::Id as _;

    use super::*;

    /// A bus that takes 10 ns per byte, with `inputs` NICs on it.
    fn bus(inputs: usize) -> Bus {
        let config = Config {
            name: "pci".to_owned(),
            bytes_per_second: 100_000_000,
            frame_overhead_ns: 0,
            behind: None,
        };
        let mut bus = Bus::new(config);
        for _ in 0..inputs {
            bus.add_input();
        }
        bus
    }

    fn frame(index: usize) -> Cargo {
        Cargo::Received {
            queue: QueueId::from_index(0),
            rx: RxBuffer {
                buffer: BufferId::from_index(index),
                skb: None,
            },
        }
    }

    /// Runs until every frame has crossed: the number of each frame, and when it crossed, in ns.
    fn run(buses: &mut Buses) -> Vec<(usize, u64)> {
        let (mut due, mut crossed) = (VecDeque::new(), Vec::new());
        let mut now = SimTime::ZERO;
        loop {
            for progress in buses.take_progress() {
                match progress {
                    Progress::Busy { bus, until } => due.push_back((until, bus)),
                    Progress::Crossed(Cargo::Received { rx, .. }) => {
                        crossed.push((rx.buffer.index(), now.nanos().0));
                    }
                    Progress::Crossed(Cargo::Sending(_)) => {}
                }
            }
            due.make_contiguous().sort_unstable();
            let Some((time, bus)) = due.pop_front() else {
                return crossed;
            };
            now = time;
            buses.done(bus, now);
        }
    }

    #[test]
    fn inputs_take_turns() {
        let mut buses = Buses {
            all: vec![bus(2)],
            progress: Vec::new(),
        };
        for (index, input) in [0, 0, 1].into_iter().enumerate() {
            buses.cross((0, input), 100, frame(index), SimTime::ZERO);
        }
        assert_eq!(run(&mut buses), [(0, 1000), (2, 2000), (1, 3000)]);
    }

    #[test]
    fn a_bridge_keeps_one_frame_and_stops_the_bus_in_front() {
        let mut front = bus(1);
        front.next = Some((1, 0));
        let mut behind = bus(1);
        behind.inputs[0].from = Some(0);
        behind.config.bytes_per_second /= 2;
        let mut buses = Buses {
            all: vec![front, behind],
            progress: Vec::new(),
        };
        for index in 0..3 {
            buses.cross((0, 0), 100, frame(index), SimTime::ZERO);
        }
        // The slower second bus limits the rate after the first microsecond.
        assert_eq!(run(&mut buses), [(0, 3000), (1, 5000), (2, 7000)]);
    }
}
