//! The figures of a run: what came out of it, in numbers that a card shows and by which two
//! runs are compared.
//!
//! A figure is a quantity, of the whole run or of one of its parts (a CPU, a lock, a kernel
//! function), with a value and, where there is one, the packet and the moment to look at. What a
//! recording does not tell is absent. Costs are for each packet that came in, so that runs of
//! different length and load can be held beside each other.

mod bystanders;
mod costs;
mod quantity;
mod responses;
mod round_trip;
mod stretches;
mod ways;

use crate::kernel::{Context, CpuId, DropReason, Nanos, PacketId, Station};
use crate::measure::{Sums, Transaction, transactions};
use crate::opened::Opened;
use crate::order;
use crate::replay::{Basis, Counts};
use crate::run::Run;
use crate::run::measured::Measured;

pub use quantity::{Quantity, Unit};

/// One number of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What of the run it says.
    pub quantity: Quantity,
    /// What part of the run it is about.
    pub of: Of,
    /// Its value in the quantity's unit.
    pub value: f64,
    /// A packet in which it can be seen, with the time to look at.
    pub seen: Option<(PacketId, Nanos)>,
}

/// The part of a run that a figure is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    /// All of it.
    Run,
    /// What one CPU did.
    Cpu(CpuId),
    /// What all CPUs did in one context.
    Context(Context),
    /// Packets that were dropped for one reason.
    Reason(DropReason),
    /// Packets' stays at one station.
    Station(Station),
    /// Waits for one lock, by its name.
    Lock(String),
    /// Cache lines of one kind of object, by its name.
    Object(String),
    /// One kernel function, by its name.
    Function(String),
    /// Processes of one name (`comm`).
    Task(String),
}

impl Of {
    /// Its name as it stands in tables; empty for the whole run.
    pub fn name(&self) -> String {
        match self {
            Self::Run => String::new(),
            Self::Cpu(cpu) => format!("CPU {}", cpu.0),
            Self::Context(context) => context.name().to_owned(),
            Self::Reason(reason) => reason.name().to_owned(),
            Self::Station(station) => station.name().to_owned(),
            Self::Lock(name) | Self::Object(name) | Self::Function(name) | Self::Task(name) => {
                name.clone()
            }
        }
    }

    /// The part of a kind and a name, as [`Self::kind`] and [`Self::name`] say them.
    pub fn from_name(kind: &str, name: &str) -> Option<Self> {
        let cpu = || name.strip_prefix("CPU ")?.parse().ok().map(CpuId);
        match kind {
            "run" => Some(Self::Run),
            "cpu" => cpu().map(Self::Cpu),
            "context" => Context::from_name(name).map(Self::Context),
            "reason" => DropReason::from_name(name).map(Self::Reason),
            "station" => Station::from_name(name).map(Self::Station),
            "lock" => Some(Self::Lock(name.to_owned())),
            "object" => Some(Self::Object(name.to_owned())),
            "function" => Some(Self::Function(name.to_owned())),
            "task" => Some(Self::Task(name.to_owned())),
            _ => None,
        }
    }

    /// The station, if it is one.
    pub const fn station(&self) -> Option<Station> {
        match self {
            Self::Station(station) => Some(*station),
            _ => None,
        }
    }

    /// The reason of drops, if it is one.
    pub const fn reason(&self) -> Option<DropReason> {
        match self {
            Self::Reason(reason) => Some(*reason),
            _ => None,
        }
    }

    /// What kind of part it is.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Cpu(_) => "cpu",
            Self::Context(_) => "context",
            Self::Reason(_) => "reason",
            Self::Station(_) => "station",
            Self::Lock(_) => "lock",
            Self::Object(_) => "object",
            Self::Function(_) => "function",
            Self::Task(_) => "task",
        }
    }
}

/// What came out of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figures {
    /// Length of the run, or of the part of it, that they describe, in nanoseconds.
    pub nanos: u64,
    /// The figures, in the order of their quantities.
    pub all: Vec<Figure>,
    /// The quantities that the run reports. A part without a figure for one of them had none of it.
    pub told: Vec<Quantity>,
    /// The figures of consecutive parts of the run, from whose spread a confidence interval is estimated
    /// ([`Figures::with_stretches`]). Empty if they were not asked for, or if too few packets set out.
    pub stretches: Vec<Figures>,
}

impl Figures {
    /// The figures of a run after its warm-up. `totals` are what a simulation counted beside its
    /// events; a recording has no such thing.
    pub fn of(opened: &Opened, totals: Option<&Measured>) -> Self {
        Self::after_warm_up(&opened.replay.basis(), totals)
    }

    /// The same of a simulation of which nothing else is wanted: no replay is built for it.
    pub fn alone(run: Run, totals: &Measured) -> Self {
        Self::after_warm_up(&Counts::of(run).basis(), Some(totals))
    }

    /// The figures of what lies between two times, both included, as far as events tell them: what a
    /// simulation counted beside them is of all of it.
    pub fn between(opened: &Opened, from: Nanos, to: Nanos) -> Self {
        let basis = opened.replay.basis();
        let mut figures = Self::told(&basis, &all_transactions(&basis), from, to, None);
        figures.round_trip(&basis, from, to);
        figures.sorted()
    }

    /// These, with those of stretches of what they are of: all of a run after its warm-up, or what
    /// lies between two times. Only who compares one run with another asks for them: each costs a
    /// pass over the packets.
    #[must_use]
    pub fn with_stretches(self, opened: &Opened, between: Option<(Nanos, Nanos)>) -> Self {
        let basis = opened.replay.basis();
        let (from, to) = between.unwrap_or_else(|| (begin(basis.run), basis.run.end()));
        Self {
            stretches: stretches::of(&basis, from, to),
            ..self
        }
    }

    fn after_warm_up(basis: &Basis<'_>, totals: Option<&Measured>) -> Self {
        let run = basis.run;
        let transactions = all_transactions(basis);
        let mut figures = Self::told(basis, &transactions, begin(run), run.end(), totals);
        // A way is as long before the warm-up is over, and connections that were opened then tell it.
        figures.round_trip(basis, run.start(), run.end());
        figures.sorted()
    }

    fn told(
        basis: &Basis<'_>,
        transactions: &[Transaction],
        from: Nanos,
        to: Nanos,
        totals: Option<&Measured>,
    ) -> Self {
        let sums = Sums::of(basis, from, to);
        let mut figures = Self {
            nanos: to.since(from),
            ..Self::default()
        };
        // Of the whole run, so that all stretches of it are of one kind.
        let sends = basis.journeys.mostly_sends();
        let packets = ways::packets(basis, from, to, sends);
        ways::add(&mut figures, basis, &sums, packets, sends);
        responses::add(&mut figures, basis, transactions, from, to);
        costs::add(&mut figures, basis, &sums, packets, sends, totals);
        bystanders::add(&mut figures, basis, &sums, packets);
        figures
    }

    fn round_trip(&mut self, basis: &Basis<'_>, from: Nanos, to: Nanos) {
        if let Some(least) = round_trip::least(basis, from, to) {
            let seen = Some((least.packet, least.sent));
            self.see(Quantity::RoundTrip, Of::Run, least.nanos as f64, seen);
        }
    }

    fn sorted(self) -> Self {
        let mut figures = self;
        order::sort_by(&mut figures.all, |one, other| {
            let order = one.quantity.cmp(&other.quantity);
            order.then_with(|| one.of.cmp(&other.of))
        });
        figures
    }

    /// The value of a quantity of a part: nothing where the run does not tell, zero where it tells
    /// of the quantity and has no such part.
    pub fn value(&self, quantity: Quantity, of: &Of) -> Option<f64> {
        let is_it = |figure: &&Figure| figure.quantity == quantity && figure.of == *of;
        match self.all.iter().find(is_it) {
            Some(figure) => Some(figure.value),
            None if *of != Of::Run && self.told.contains(&quantity) => Some(0.0),
            None => None,
        }
    }

    fn tell(&mut self, quantity: Quantity) {
        self.told.push(quantity);
    }

    fn push(&mut self, quantity: Quantity, of: Of, value: f64) {
        self.see(quantity, of, value, None);
    }

    fn see(&mut self, quantity: Quantity, of: Of, value: f64, seen: Option<(PacketId, Nanos)>) {
        if value.is_finite() {
            self.all.push(Figure {
                quantity,
                of,
                value,
                seen,
            });
        }
    }
}

/// The transactions of a whole run, which is a pass over its packets: who asks for the figures of several parts makes it once.
fn all_transactions(basis: &Basis<'_>) -> Vec<Transaction> {
    transactions(basis.run, basis.journeys)
}

/// Where what counts begins: after the warm-up of a simulated run's scenario, which its events name.
pub fn begin(run: &Run) -> Nanos {
    let scenario = run.scenario();
    let warmup_us = scenario.and_then(|value| value.get("warmup_us")?.as_u64());
    let warmup = warmup_us.unwrap_or(0).saturating_mul(1000);
    let length = run.end().since(run.start());
    // A run that is not longer than its warm-up says nothing after it.
    let into = if warmup < length { warmup } else { 0 };
    Nanos(run.start().0 + into)
}
