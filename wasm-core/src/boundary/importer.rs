//! Inputs on their way in: the page pushes the bytes of each file as they come.

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::session::Session;
use crate::import::Import;

/// Takes the inputs that belong together, one after the other, in chunks of any size.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Importer {
    inputs: Vec<Input>,
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
        Self { inputs: Vec::new() }
    }

    /// The next bytes are of another input, with this name and, for a capture of the
    /// link, its clock minus the trace's in nanoseconds, if that is known.
    pub fn begin(&mut self, name: &str, clock_offset: Option<f64>) {
        self.inputs.push(Input {
            clock_offset: clock_offset.map(|nanos| nanos as i64),
            name: name.to_owned(),
            import: Import::new(),
        });
    }

    /// Takes bytes of the input that was begun last. Throws as soon as it is certain
    /// that the input cannot be imported.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), JsError> {
        let Some(input) = self.inputs.last_mut() else {
            return Err(JsError::new("bytes came before an input was begun"));
        };
        input.import.push(bytes);
        match input.import.error() {
            None => Ok(()),
            Some(error) => Err(JsError::new(&format!("{}: {error}", input.name))),
        }
    }

    /// Lines split so far, of all inputs.
    pub fn lines(&self) -> f64 {
        let lines = |input: &Input| input.import.progress().lines;
        self.inputs.iter().map(lines).sum::<u64>() as f64
    }

    /// The end of the last input: everything is put together and made ready.
    pub fn finish(self) -> Result<Session, JsError> {
        let mut inputs = self.inputs.into_iter();
        let Some(input) = inputs.next() else {
            return Err(JsError::new("there is nothing to open"));
        };
        let imported = input
            .import
            .finish()
            .map_err(|error| JsError::new(&format!("{}: {error}", input.name)))?;
        Ok(Session::new(imported.into()))
    }
}
