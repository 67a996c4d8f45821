//! The figures of a run and two sides of them compared, as the page gets them (`web/core/figures.ts`).

use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::session::Session;
use boundary_saying::SayingView;
use ringside::compare::{Comparison, Difference, Estimate, Said};
use ringside::figures::{Figure, Figures, Of, Quantity};
use ringside::journey::Journeys;
use ringside::kernel::{Nanos, PacketId};

/// The figures of a run; the page hands them back to have them compared.
#[derive(Debug, Serialize, Deserialize, Tsify)]
pub struct FiguresView {
    /// How much time they are of.
    nanos: f64,
    #[tsify(type = "readonly FigureView[]")]
    all: Vec<FigureView>,
    #[tsify(type = "readonly string[]")]
    told: Vec<String>,
    /// The same of stretches of the run, by which one run tells how far it wavers; of a run of many
    /// seeds, none.
    #[serde(default)]
    #[tsify(type = "readonly FiguresView[]")]
    stretches: Vec<FiguresView>,
}

/// One number of a run.
#[derive(Debug, Serialize, Deserialize, Tsify)]
pub struct FigureView {
    quantity: String,
    /// What kind of part of the run it is about, and which.
    kind: String,
    name: String,
    unit: String,
    value: f64,
    /// The packet in which it can be seen, and when.
    #[tsify(type = "number | undefined")]
    packet: Option<u32>,
    #[tsify(type = "number | undefined")]
    time: Option<f64>,
}

/// Two sides beside each other.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(hashmap_as_object)]
pub struct ComparisonView {
    runs: [usize; 2],
    /// How many CPUs they have; 0 where they do not tell.
    cpus: [usize; 2],
    /// How many of them would be busy all the time, where there are not as many on both sides.
    #[tsify(type = "readonly [before: number, after: number] | undefined")]
    work: Option<[f64; 2]>,
    differences: Vec<DifferenceView>,
    outcomes: Vec<SaidView>,
    causes: Vec<SaidView>,
    /// Each side is one run.
    is_single: bool,
}

/// A figure of both sides.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct DifferenceView {
    quantity: &'static str,
    kind: &'static str,
    name: String,
    unit: &'static str,
    before: EstimateView,
    after: EstimateView,
    change: EstimateView,
    /// The change as a part of the larger of both; of a share in its points.
    part: f64,
    is_noise: bool,
}

/// A mean, and half the width of its interval where runs or stretches tell one.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct EstimateView {
    mean: f64,
    #[tsify(type = "number | undefined")]
    half_width: Option<f64>,
}

/// A sentence of the verdict, and the figure that it is about.
#[derive(Debug, Serialize, Tsify)]
#[tsify(hashmap_as_object)]
pub struct SaidView {
    saying: SayingView,
    quantity: &'static str,
    kind: &'static str,
    name: String,
}

impl FiguresView {
    /// As they are handed out; times count from the run's start.
    pub fn of(figures: &Figures, start: Nanos) -> Self {
        let view = |figure: &Figure| FigureView {
            quantity: figure.quantity.name().to_owned(),
            kind: figure.of.kind().to_owned(),
            name: figure.of.name(),
            unit: figure.quantity.unit().name().to_owned(),
            value: figure.value,
            packet: figure.seen.map(|(packet, _)| packet.0),
            time: figure.seen.map(|(_, at)| at.since(start) as f64),
        };
        Self {
            nanos: figures.nanos as f64,
            all: figures.all.iter().map(view).collect(),
            told: figures
                .told
                .iter()
                .map(|one| one.name().to_owned())
                .collect(),
            stretches: figures
                .stretches
                .iter()
                .map(|one| Self::of(one, start))
                .collect(),
        }
    }

    /// As they were; what this core does not know is left out.
    fn figures(&self) -> Figures {
        let figure = |view: &FigureView| {
            Some(Figure {
                quantity: Quantity::from_name(&view.quantity)?,
                of: Of::from_name(&view.kind, &view.name)?,
                value: view.value,
                seen: view
                    .packet
                    .map(PacketId)
                    .zip(view.time.map(|at| Nanos(at as u64))),
            })
        };
        let told = self.told.iter();
        Figures {
            nanos: self.nanos as u64,
            all: self.all.iter().filter_map(figure).collect(),
            told: told.filter_map(|name| Quantity::from_name(name)).collect(),
            stretches: self.stretches.iter().map(Self::figures).collect(),
        }
    }
}

impl From<Estimate> for EstimateView {
    fn from(one: Estimate) -> Self {
        Self {
            mean: one.mean,
            half_width: one.half_width,
        }
    }
}

impl From<&Difference> for DifferenceView {
    fn from(one: &Difference) -> Self {
        Self {
            quantity: one.quantity.name(),
            kind: one.of.kind(),
            name: one.of.name(),
            unit: one.quantity.unit().name(),
            before: one.before.into(),
            after: one.after.into(),
            change: one.change.into(),
            part: one.part(),
            is_noise: one.is_noise(),
        }
    }
}

impl From<&Said> for SaidView {
    fn from(said: &Said) -> Self {
        Self {
            saying: SayingView::of(&said.saying, &Journeys::default()),
            quantity: said.quantity.name(),
            kind: said.of.kind(),
            name: said.of.name(),
        }
    }
}

#[wasm_bindgen]
impl Session {
    /// What came out of the run, in figures: of all of it after its warm-up, or of what lies between
    /// two times; with those of its stretches if it is to be compared.
    pub fn figures(
        &self,
        is_compared: bool,
        from: Option<f64>,
        to: Option<f64>,
    ) -> Result<Ts<FiguresView>, JsError> {
        let between = from.zip(to).map(|(from, to)| (self.at(from), self.at(to)));
        let mut figures = match between {
            Some((from, to)) => Figures::between(&self.opened, from, to),
            None => Figures::of(&self.opened, self.totals.as_ref()),
        };
        if is_compared {
            figures = figures.with_stretches(&self.opened, between);
        }
        Ok(FiguresView::of(&figures, self.opened.run.start()).into_ts()?)
    }
}

/// Compares the runs of one side with those of the other.
#[wasm_bindgen]
pub fn compare(
    before: Vec<Ts<FiguresView>>,
    after: Vec<Ts<FiguresView>>,
) -> Result<Ts<ComparisonView>, JsError> {
    let side = |views: Vec<Ts<FiguresView>>| {
        let figures = views.into_iter().map(|view| Ok(view.to_rust()?.figures()));
        figures.collect::<Result<Vec<Figures>, JsError>>()
    };
    let comparison = Comparison::of(&side(before)?, &side(after)?);
    let verdict = comparison.verdict();
    let view = ComparisonView {
        runs: comparison.runs,
        cpus: comparison.cpus,
        work: comparison.work(),
        differences: comparison
            .differences
            .iter()
            .map(DifferenceView::from)
            .collect(),
        outcomes: verdict.outcomes.iter().map(SaidView::from).collect(),
        causes: verdict.causes.iter().map(SaidView::from).collect(),
        is_single: verdict.is_single,
    };
    Ok(view.into_ts()?)
}
