//! What probes cost: time that measuring takes from what is measured.

use std::collections::BTreeMap;

use crate::kernel::{CpuId, Field, Nanos, Probe};
use crate::run::Run;

use super::track::Sums;
use super::{MachineColumns, Moment};

/// For each CPU that ran probes the nanoseconds that they cost and how many ran.
#[derive(Debug, Clone, Default)]
pub struct ProbeCosts {
    by_cpu: BTreeMap<CpuId, Sums<2>>,
}

/// One entry for each CPU on which any probe of the run costs something.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CostColumns {
    /// Which CPU.
    pub cpu: Vec<u16>,
    /// Nanoseconds so far.
    pub nanos: Vec<f64>,
    /// Nanoseconds just now.
    pub recent: Vec<f64>,
    /// How many probes so far.
    pub probes: Vec<f64>,
}

impl ProbeCosts {
    pub(in crate::replay) fn of(run: &Run) -> Self {
        let mut by_cpu: BTreeMap<CpuId, Sums<2>> = BTreeMap::new();
        for index in run.indices() {
            let cpu = run.cpu[index.at()];
            if run.probe[index.at()] == Probe::ProbeCost && cpu.is_known() {
                let cost = run.field(index, Field::Cost).unwrap_or(0);
                let sums = by_cpu.entry(cpu).or_default();
                sums.add(run.time(index), [u64::from(cost), 1]);
            }
        }
        Self { by_cpu }
    }

    /// Whether any probe of the run costs anything.
    pub fn is_empty(&self) -> bool {
        self.by_cpu.is_empty()
    }

    /// Nanoseconds and number of probes between two times, both included, by CPU.
    pub fn between(&self, from: Nanos, to: Nanos) -> impl Iterator<Item = (CpuId, [u64; 2])> + '_ {
        let sums = move |(&cpu, sums): (&CpuId, &Sums<2>)| (cpu, sums.between(from, to));
        self.by_cpu.iter().map(sums)
    }

    pub(super) fn add_to(&self, columns: &mut MachineColumns, moment: Moment) {
        for (cpu, sums) in &self.by_cpu {
            let [nanos, probes] = sums.at(moment.time);
            let [recent, _] = sums.since(moment.recent, moment.time);
            columns.costs.cpu.push(cpu.0);
            columns.costs.nanos.push(nanos as f64);
            columns.costs.recent.push(recent as f64);
            columns.costs.probes.push(probes as f64);
        }
    }
}
