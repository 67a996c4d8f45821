//! The results of loads, each written as soon as it is there: as tables, or as JSON.

use std::fmt;
use std::io::{self, Write};

use serde_json::{Value, json};

use crate::counts::{self, Count};
use crate::loads::Load;
use crate::predict::{KERNEL, Prediction};
use crate::statistics::Estimate;
use crate::windows::Done;

/// Why a row has not all that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lacks {
    /// It cannot run on this host.
    Skipped(String),
    /// It was tried, and failed.
    Failed(String),
}

impl fmt::Display for Lacks {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Skipped(why) => write!(out, "left out: {why}"),
            Self::Failed(why) => write!(out, "failed: {why}"),
        }
    }
}

/// The result of a load, measured and predicted.
#[derive(Debug)]
pub struct Row {
    /// The load.
    pub load: Load,
    /// `None` if it is only predicted.
    pub done: Option<Done>,
    /// `None` if it is only measured.
    pub predicted: Option<Prediction>,
    /// The simulated scenario, as its file.
    pub scenario: Value,
    /// Why one of them is missing, unless it was not asked for.
    pub lacks: Option<Lacks>,
}

impl Row {
    /// The measured rate, in the load's unit.
    fn rate(&self) -> Option<Estimate> {
        let rate = self.done.as_ref()?.rate?;
        Some(rate.times(self.load.unit().1))
    }

    /// The predicted rate, in the load's unit.
    fn predicted(&self) -> Option<f64> {
        Some(self.predicted.as_ref()?.rate * self.load.unit().1)
    }

    /// Predicted by measured.
    fn ratio(&self) -> Option<f64> {
        Some(self.predicted()? / self.rate()?.median)
    }

    /// What is counted of the load, the unit of work it is counted for, and the measured and the predicted count.
    fn counted(
        &self,
    ) -> impl Iterator<Item = (&'static str, &'static str, Option<Estimate>, Option<f64>)> {
        let (unit, factor) = counts::unit(&self.load);
        Count::of(self.load.does).iter().map(move |count| {
            let counted = self.done.as_ref().and_then(|done| done.counts.get(count));
            let predicted = self.predicted.as_ref().and_then(|it| it.counts.get(count));
            (
                count.title(),
                unit,
                counted.map(|counted| counted.times(factor)),
                predicted.map(|predicted| predicted * factor),
            )
        })
    }

    fn json(&self) -> Value {
        let (unit, _) = self.load.unit();
        let (rate, done) = (self.rate(), self.done.as_ref());
        let counts = self.counted().map(|(title, unit, counted, predicted)| {
            json!({
                "count": title,
                "for_each": unit,
                "measured": counted.map(|counted| counted.median),
                "low": counted.map(|counted| counted.low),
                "high": counted.map(|counted| counted.high),
                "predicted": predicted,
            })
        });
        let counts: Vec<Value> = counts.collect();
        let mut json = json!({
            "load": self.load.name,
            "title": self.load.title(),
            "unit": unit,
            "measured": rate.map(|rate| rate.median),
            "low": rate.map(|rate| rate.low),
            "high": rate.map(|rate| rate.high),
            "windows": done.map(|done| done.windows),
            "disturbed": done.map(|done| done.disturbed),
            "predicted": self.predicted(),
            "ratio": self.ratio(),
            "scenario": self.scenario,
            "counts": counts,
        });
        match &self.lacks {
            Some(Lacks::Skipped(why)) => json["left_out"] = json!(why),
            Some(Lacks::Failed(why)) => json["failed"] = json!(why),
            None => {}
        }
        json
    }

    /// Its line in the table of rates.
    fn line(&self) -> String {
        let (unit, _) = self.load.unit();
        let count = |count: fn(&Done) -> usize| {
            let count = self.done.as_ref().map(count);
            count.map_or_else(String::new, |count| count.to_string())
        };
        let lacks = self.lacks.as_ref();
        let lacks = lacks.map_or_else(String::new, |lacks| format!("  {lacks}"));
        format!(
            "{:<46} {} {:>10} {:>6} {:>7} {:>9}  {unit}{lacks}\n",
            self.load.title(),
            measured_cells(self.rate()),
            cell(self.predicted()),
            cell(self.ratio()),
            count(|done| done.windows),
            count(|done| done.disturbed),
        )
    }

    /// Its lines in the table of counts.
    fn lines_of_counts(&self) -> impl Iterator<Item = String> {
        self.counted().map(|(title, unit, counted, predicted)| {
            format!(
                "{:<46} {title:<22} {} {:>10}  {unit}\n",
                self.load.title(),
                measured_cells(counted),
                cell(predicted),
            )
        })
    }
}

/// A number of a table, or nothing.
fn cell(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| format!("{number:.2}"))
}

/// The cells of what was measured: the median and its 95 % interval.
fn measured_cells(measured: Option<Estimate>) -> String {
    match measured {
        Some(it) => format!("{:>10.2} {:>8.2} to {:>8.2}", it.median, it.low, it.high),
        None => format!("{:>10} {:>20}", "", ""),
    }
}

/// The host as it was found.
#[derive(Debug, Clone)]
pub struct Head {
    /// The kernel's name and version.
    pub kernel: String,
    /// The two CPUs of the loads on two.
    pub pair: Option<(usize, usize)>,
    /// Transfer time of a line between them in ns: the machine's.
    pub line_ns: f64,
    /// The same as measured before the loads.
    pub line_ns_before: Option<f64>,
}

/// The rows written so far.
pub struct Rows<W> {
    out: W,
    is_json: bool,
    head: Head,
    done: Vec<Row>,
}

impl<W: Write> Rows<W> {
    /// Writes what stands before all rows.
    pub fn begin(mut out: W, is_json: bool, head: Head) -> io::Result<Self> {
        if is_json {
            let (kernel, line, before) = (
                json!(head.kernel),
                json!(head.line_ns),
                json!(head.line_ns_before),
            );
            write!(
                out,
                "{{\n  \"kernel\": {kernel},\n  \"line_ns\": {line},\n  \
                 \"line_ns_before\": {before},\n  \"loads\": ["
            )?;
        } else {
            let cpus = head.pair.map_or_else(
                || "one CPU".to_owned(),
                |(one, other)| format!("CPUs {one} and {other}"),
            );
            writeln!(
                out,
                "Linux {}, predicted as {KERNEL}, {cpus}\n{:<46} {:>10} {:>20} {:>10} {:>6} {:>7} {:>9}  unit",
                head.kernel, "", "measured", "95 %", "predicted", "ratio", "windows", "disturbed"
            )?;
        }
        out.flush()?;
        Ok(Self {
            out,
            is_json,
            head,
            done: Vec::new(),
        })
    }

    /// Writes a row.
    pub fn add(&mut self, row: Row) -> io::Result<()> {
        if self.is_json {
            let comma = if self.done.is_empty() { "" } else { "," };
            // No text in JSON has a line break of its own.
            let text = format!("\n{:#}", row.json()).replace('\n', "\n    ");
            write!(self.out, "{comma}{text}")?;
        } else {
            self.out.write_all(row.line().as_bytes())?;
        }
        self.done.push(row);
        self.out.flush()
    }

    /// Writes what stands behind all rows; the transfer time of a line in ns is that after the loads.
    pub fn end(mut self, line_ns_after: Option<f64>) -> io::Result<()> {
        if self.is_json {
            let after = json!(line_ns_after);
            write!(self.out, "\n  ],\n  \"line_ns_after\": {after}\n}}\n")?;
            return self.out.flush();
        }
        writeln!(
            self.out,
            "\n{:<46} {:<22} {:>10} {:>20} {:>10}  for each",
            "what the kernel counted", "", "measured", "95 %", "predicted"
        )?;
        let rows = self.done.iter();
        let rows = rows.filter(|row| row.done.is_some() || row.predicted.is_some());
        for line in rows.flat_map(Row::lines_of_counts) {
            self.out.write_all(line.as_bytes())?;
        }
        if let (Some(before), Some(after)) = (self.head.line_ns_before, line_ns_after) {
            // A hypervisor may have moved the CPUs.
            writeln!(
                self.out,
                "\na line between the CPUs: {before:.1} ns before, {after:.1} ns after, {:.1} ns on the machine; \
                 where it was far from that, what ran on two CPUs was not counted",
                self.head.line_ns
            )?;
        }
        self.out.flush()
    }
}
