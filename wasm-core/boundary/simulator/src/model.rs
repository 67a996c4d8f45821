//! The model with its data files, and what the page may ask of it.

use std::cell::RefCell;
use std::rc::Rc;

use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::beside::BesideView;
use super::catalogue::CatalogueView;
use super::papers::{ReproducedView, StudyView};
use super::simulator::Simulator;
use boundary_saying::Thrown;
use sim::config::catalogue::{Catalogue, CatalogueError, OwnFile};
use sim::config::own::Kept;
use sim::config::scenario::Scenario;
use sim::engine::Simulation;
use validation::Papers;

/// The data files that the page has given.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Model {
    files: Vec<OwnFile>,
    /// A worker is asked again and again with the same catalogue.
    kept: RefCell<Kept>,
}

#[wasm_bindgen]
impl Model {
    /// A model that was given nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a data file: its path below `data` (`kernels/6.1.json`) and its text. What asks for one that was not
    /// given throws, and names it.
    pub fn give(&mut self, path: String, text: String) {
        self.files.push((path, text));
        self.kept = RefCell::default();
    }

    /// What a scenario can be made of, and what the model leaves out; with the texts of machine files of
    /// one's own, which throws where one is no machine.
    pub fn catalogue(&self, machines: Vec<String>) -> Result<Ts<CatalogueView>, Thrown> {
        let catalogue = self.given(machines)?;
        Ok(CatalogueView::of(&catalogue).into_ts()?)
    }

    /// Makes a simulation ready. Refuses a text that is no scenario, and one that asks for what is not there. Without a recording, which is for measuring
    /// how fast it goes, there is nothing to finish. `machines` are texts of machine files of one's own.
    pub fn simulator(
        &self,
        scenario: &str,
        is_recording: bool,
        machines: Vec<String>,
    ) -> Result<Simulator, Thrown> {
        let catalogue = self.given(machines)?;
        let scenario =
            Scenario::parse(scenario, &catalogue).map_err(|error| Thrown::Refusal(error.said()))?;
        let simulation = Simulation::new(&scenario, &catalogue, is_recording)
            .map_err(|unfit| Thrown::Refusal(unfit.0))?;
        Ok(Simulator {
            simulation,
            is_recording,
        })
    }

    /// The scoreboard before anything is run: every number that was published.
    pub fn published(&self) -> Result<Vec<Ts<StudyView>>, JsError> {
        let studies = self.papers()?.studies(&*self.read(Vec::new())?);
        let view = |study| Ok(StudyView::from(study).into_ts()?);
        studies.into_iter().map(view).collect()
    }

    /// The published numbers that a sweep of a scenario (JSON text) over one setting or two can be held against;
    /// none of what is no scenario.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "wasm-bindgen has no slices of texts"
    )]
    pub fn published_beside(
        &self,
        scenario: &str,
        swept: Vec<String>,
    ) -> Result<Vec<Ts<BesideView>>, JsError> {
        let Ok(scenario) = serde_json::from_str::<Scenario>(scenario) else {
            return Ok(Vec::new());
        };
        let names: Vec<&str> = swept.iter().map(String::as_str).collect();
        let found = self.papers()?.beside(&scenario, &names);
        let view = |one| Ok(BesideView::from(one).into_ts()?);
        found.into_iter().map(view).collect()
    }

    /// Runs the experiments behind an entry: one result for each of its numbers.
    pub fn reproduce(&self, entry: &str) -> Result<Vec<Ts<ReproducedView>>, JsError> {
        let catalogue = self.read(Vec::new())?;
        let results = self.papers()?.reproduce(entry, &catalogue);
        let view = |result| Ok(ReproducedView::from(result).into_ts()?);
        results
            .map_err(|why| JsError::new(&why))?
            .into_iter()
            .map(view)
            .collect()
    }
}

impl Model {
    /// With machine files of one's own, of which any may be none; that a file of the program is not there is a failure.
    fn given(&self, machines: Vec<String>) -> Result<Rc<Catalogue>, Thrown> {
        let is_own = !machines.is_empty();
        self.read(machines).map_err(|error| {
            if is_own {
                Thrown::Refusal(error.said())
            } else {
                error.into()
            }
        })
    }

    fn read(&self, machines: Vec<String>) -> Result<Rc<Catalogue>, CatalogueError> {
        let mut kept = self.kept.borrow_mut();
        kept.with_machines(&self.files, machines)
    }

    fn papers(&self) -> Result<Papers, JsError> {
        Papers::with(&self.files).map_err(|why| JsError::new(&why))
    }
}
