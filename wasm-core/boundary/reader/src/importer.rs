//! Inputs on their way in: the page pushes the bytes of each file as they come.

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::session::Session;
use boundary_saying::Thrown;
use ringside::import::Import;
use ringside::kernel::{CpuId, Nanos};
use ringside::opened::{Opened, Part};
use ringside::run::Excerpt;

/// Takes the inputs that belong together, one after the other, in chunks of any size.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Importer {
    inputs: Vec<Input>,
    excerpt: Excerpt,
}

#[derive(Debug)]
struct Input {
    name: String,
    import: Import,
    clock_offset: Option<i64>,
}

#[wasm_bindgen]
impl Importer {
    /// An importer that has seen nothing yet.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default, reason = "JavaScript's constructor")]
    pub fn new() -> Self {
        Self {
            inputs: Vec::new(),
            excerpt: Excerpt::default(),
        }
    }

    /// Of the traces begun from now on this part alone is taken: one CPU's events, and those between
    /// two times of the trace's clock, in nanoseconds.
    pub fn only(&mut self, cpu: Option<u16>, from: Option<f64>, to: Option<f64>) {
        let time = |nanos: f64| Nanos(nanos.max(0.0) as u64);
        self.excerpt = Excerpt {
            cpu: cpu.map(CpuId),
            from: from.map(time),
            to: to.map(time),
        };
    }

    /// The next bytes are of another input, with this name and, for a capture of the
    /// link, its clock minus the trace's in nanoseconds, if that is known.
    pub fn begin(&mut self, name: &str, clock_offset: Option<f64>) {
        self.inputs.push(Input {
            // Recordings state it in microseconds; a number of JavaScript holds no more of it.
            clock_offset: clock_offset.map(|nanos| (nanos / 1000.0).round() as i64 * 1000),
            name: name.to_owned(),
            import: Import::of(self.excerpt),
        });
    }

    /// Takes bytes of the input that was begun last. Whether more of them help: not once it is certain that the input cannot
    /// be imported, of which `finish` tells.
    pub fn push(&mut self, bytes: &[u8]) -> Result<bool, JsError> {
        let Some(input) = self.inputs.last_mut() else {
            return Err(JsError::new("bytes came before an input was begun"));
        };
        input.import.push(bytes);
        Ok(input.import.error().is_none())
    }

    /// Nothing more can be read of the input that was begun last.
    pub fn break_off(&mut self) {
        if let Some(input) = self.inputs.last_mut() {
            input.import.break_off();
        }
    }

    /// Lines split so far, of all inputs.
    pub fn lines(&self) -> f64 {
        let lines = |input: &Input| input.import.progress().lines;
        self.inputs.iter().map(lines).sum::<u64>() as f64
    }

    /// The end of the last input: everything is put together and made ready. Throws if there is no trace among them; an input
    /// that cannot be imported beside one is told of in the ledger.
    pub fn finish(self) -> Result<Session, Thrown> {
        let inputs = self.inputs.into_iter();
        let files = inputs.map(|input| Part::of(input.name, input.import, input.clock_offset));
        let opened = Opened::despite(files).map_err(|error| Thrown::Refusal(error.said()))?;
        Ok(Session::new(opened, None))
    }
}
