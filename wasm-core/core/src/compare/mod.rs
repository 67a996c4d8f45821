//! Two runs beside each other: by how much their figures differ, what of it another seed would
//! give as well, and what explains it.
//!
//! Each side is one run, or several that differ in their seed alone. A difference counts if its
//! interval does not hold zero; what is left is noise and is called so. The interval is told by the
//! runs of a side, and where there is but one, by its stretches.

pub mod abreast;
mod causes;
mod estimate;
pub mod knee;
mod verdict;
pub mod words;

use crate::figures::{Figures, Of, Quantity};
use crate::order;

pub use estimate::Estimate;
use estimate::Sample;
pub use verdict::{Said, Verdict};

/// Where neither runs nor stretches tell a spread (of too few packets, of what was counted over all of
/// a run), what differs by less than this part is not called a difference.
const SINGLE: f64 = 0.05;
/// A difference that is sure and smaller than this part is not worth a word.
const WORTH: f64 = 0.01;

/// A figure of both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What it says.
    pub quantity: Quantity,
    /// Of which part of the run.
    pub of: Of,
    /// On the one side.
    pub before: Estimate,
    /// On the other.
    pub after: Estimate,
    /// After less before.
    pub change: Estimate,
}

impl Difference {
    /// The change as a part of the larger of both; of what is a share already, in its points.
    pub fn part(&self) -> f64 {
        if matches!(self.quantity, Quantity::Busy | Quantity::Dropped) {
            return self.change.mean;
        }
        match self.before.mean.abs().max(self.after.mean.abs()) {
            0.0 => 0.0,
            largest => self.change.mean / largest,
        }
    }

    /// Whether another seed may give it as well, or it is too small to speak of.
    pub fn is_noise(&self) -> bool {
        let least = match self.change.half_width {
            Some(_) => WORTH,
            None => SINGLE,
        };
        self.change.is_noise() || self.part().abs() < least
    }
}

/// Two runs beside each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The figures that both sides tell, in the order of their quantities.
    pub differences: Vec<Difference>,
    /// How many runs there are on each side.
    pub runs: [usize; 2],
    /// How many CPUs its runs have; none where they do not tell.
    pub cpus: [usize; 2],
}

impl Comparison {
    /// Of the runs of one side and those of the other.
    pub fn of(before: &[Figures], after: &[Figures]) -> Self {
        let mut parts: Vec<(Quantity, &Of)> = before
            .iter()
            .chain(after)
            .flat_map(|figures| &figures.all)
            .map(|figure| (figure.quantity, &figure.of))
            .collect();
        order::sort(&mut parts);
        parts.dedup();
        let difference = |(quantity, of): (Quantity, &Of)| {
            let (before, after) = (sample(before, quantity, of)?, sample(after, quantity, of)?);
            Some(Difference {
                quantity,
                of: of.clone(),
                before: before.estimate(),
                after: after.estimate(),
                change: before.change_to(&after),
            })
        };
        Self {
            differences: parts.into_iter().filter_map(difference).collect(),
            runs: [before.len(), after.len()],
            cpus: [before, after].map(|runs| runs.first().map_or(0, cpus)),
        }
    }

    /// The difference in a quantity of a part, where both sides tell it.
    pub fn get(&self, quantity: Quantity, of: &Of) -> Option<&Difference> {
        let mut all = self.differences.iter();
        all.find(|one| one.quantity == quantity && one.of == *of)
    }

    /// How many CPUs would be busy all the time, on each side; nothing where there are as many CPUs on
    /// both, and the share of their time says it.
    pub fn work(&self) -> Option<[f64; 2]> {
        let [was, is] = self.cpus.map(|count| count as f64);
        let busy = self.get(Quantity::Busy, &Of::Run)?;
        let is_told = self.cpus[0] != self.cpus[1] && !self.cpus.contains(&0);
        is_told.then_some([busy.before.mean * was, busy.after.mean * is])
    }

    /// The same of the whole run, if it is more than noise.
    fn sure(&self, quantity: Quantity) -> Option<&Difference> {
        self.get(quantity, &Of::Run).filter(|one| !one.is_noise())
    }

    /// The differences in a quantity, part by part.
    fn parts(&self, quantity: Quantity) -> impl Iterator<Item = &Difference> {
        let all = self.differences.iter();
        all.filter(move |one| one.quantity == quantity && one.of != Of::Run)
    }

    /// The same of the parts of one kind, each with what it is of. Figures come from files, too, where nothing keeps a
    /// quantity from standing beside a part of another kind.
    fn parts_by<Part>(
        &self,
        quantity: Quantity,
        part: fn(&Of) -> Option<Part>,
    ) -> impl Iterator<Item = (Part, &Difference)> {
        let all = self.parts(quantity);
        all.filter_map(move |one| Some((part(&one.of)?, one)))
    }
}

/// Of how many CPUs a run tells how busy they were.
fn cpus(figures: &Figures) -> usize {
    let is_one = |of: &Of| matches!(of, Of::Cpu(_));
    let all = figures.all.iter();
    all.filter(|one| one.quantity == Quantity::Busy && is_one(&one.of))
        .count()
}

/// What the runs of a side say of a quantity of a part; nothing where one of them does not tell it.
fn sample(runs: &[Figures], quantity: Quantity, of: &Of) -> Option<Sample> {
    let values = |figures: &[Figures]| {
        let values = figures.iter().map(|one| one.value(quantity, of));
        values.collect::<Option<Vec<f64>>>()
    };
    let whole = values(runs)?;
    match (runs, &whole[..]) {
        ([run], &[value]) if !run.stretches.is_empty() => {
            let weight = |stretch: &Figures| {
                if quantity.is_of_time() {
                    stretch.nanos as f64
                } else {
                    1.0
                }
            };
            let values = values(&run.stretches).unwrap_or_default();
            let weights = run.stretches.iter().map(weight);
            let stretches: Vec<(f64, f64)> = values.into_iter().zip(weights).collect();
            Some(Sample::of_stretches(value, &stretches))
        }
        _ => Sample::of_runs(&whole),
    }
}
