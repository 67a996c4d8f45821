//! The verdict: what differs, the largest first, and what explains most of it.

use super::causes::{Cause, causes};
use super::words;
use super::{Comparison, Difference};
use crate::figures::{Of, Quantity};
use crate::order;
use crate::saying::Saying;

/// What comes out differently, at most so many things.
const MOST_OUTCOMES: usize = 3;
/// And so many reasons.
const MOST_CAUSES: usize = 4;

/// A sentence with its evidence: the figure that it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The sentence.
    pub saying: Saying,
    /// Of which quantity.
    pub quantity: Quantity,
    /// Of which part.
    pub of: Of,
}

/// What is to be said of two runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// What came out differently; of two runs that do not differ, that they do not.
    pub outcomes: Vec<Said>,
    /// What made the difference, what explains most of it first.
    pub causes: Vec<Said>,
    /// Each side is one run: what another would have given is not known.
    pub is_single: bool,
}

impl Comparison {
    /// What is to be said of the two.
    pub fn verdict(&self) -> Verdict {
        let is_single = self.runs.iter().any(|&runs| runs < 2);
        let outcomes = self.outcomes();
        let mut found: Vec<Cause> = causes(self, &outcomes);
        found.truncate(MOST_CAUSES);
        let mut said: Vec<Said> = outcomes.iter().map(|one| self.said(one)).collect();
        if said.is_empty() {
            said.push(Said {
                saying: if is_single {
                    words::alike_single()
                } else {
                    words::alike(self.runs[0].min(self.runs[1]) as u64)
                },
                quantity: Quantity::Throughput,
                of: Of::Run,
            });
        }
        Verdict {
            outcomes: said,
            causes: found.into_iter().map(|cause| cause.said).collect(),
            is_single,
        }
    }

    /// What came out differently.
    fn outcomes(&self) -> Vec<&Difference> {
        let throughput = self.sure(Quantity::Throughput);
        let payload = self.sure(Quantity::PayloadEach);
        // Where each packet carries as much as before, packets and bits a second say the same.
        let rate = match (self.get(Quantity::Throughput, &Of::Run), payload) {
            (Some(_), None) => None,
            _ => self.sure(Quantity::PacketRate),
        };
        // How busy the CPUs are says something only where they have as much to do.
        let is_as_much = throughput
            .or(rate)
            .is_none_or(|one| one.part().abs() < 0.05);
        let cpu = if is_as_much {
            self.sure(Quantity::Busy).or(self.sure(Quantity::CpuEach))
        } else {
            self.sure(Quantity::CpuEach)
        };
        let response = self.sure(Quantity::ResponseMedian);
        let median = self.sure(Quantity::LatencyMedian);
        let tail = self.sure(Quantity::LatencyTail);
        // One of the two, unless they go apart.
        let is_alike = |one: &Difference, other: &Difference| {
            (one.part() > 0.0) == (other.part() > 0.0)
                && one.part().abs() < 2.0 * other.part().abs()
                && other.part().abs() < 2.0 * one.part().abs()
        };
        let tail = match (median, tail) {
            (Some(median), Some(tail)) if is_alike(median, tail) => None,
            _ => tail,
        };
        // As many may be lost as before, for another reason.
        let dropped = self.sure(Quantity::Dropped).or_else(|| {
            let reasons = self.parts(Quantity::Dropped).filter(|one| !one.is_noise());
            reasons.max_by(|one, other| one.change.mean.total_cmp(&other.change.mean))
        });
        // The largest are told, in the order in which one asks; and beside them what somebody waits for.
        let all = [throughput, rate, dropped, response, median, tail, cpu];
        let mut outcomes: Vec<&Difference> = all.into_iter().flatten().collect();
        let is_response = |one: &Difference| one.quantity == Quantity::ResponseMedian;
        let others = outcomes.iter().filter(|one| !is_response(one));
        let mut parts: Vec<f64> = others.map(|one| one.part().abs()).collect();
        order::sort_by(&mut parts, |one, other| other.total_cmp(one));
        if let Some(&least) = parts.get(MOST_OUTCOMES) {
            outcomes.retain(|one| is_response(one) || one.part().abs() > least);
        }
        outcomes
    }

    fn said(&self, outcome: &Difference) -> Said {
        // A share of two CPUs and a share of four say nothing of each other.
        let work = self.work().filter(|_| outcome.quantity == Quantity::Busy);
        Said {
            saying: work.map_or_else(|| words::outcome(outcome), words::work),
            quantity: outcome.quantity,
            of: outcome.of.clone(),
        }
    }
}
