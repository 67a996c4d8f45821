//! An open run as a file to save.

use boundary_saying::Thrown;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::session::Session;
use ringside::export::{self, Unwritten};

#[wasm_bindgen]
impl Session {
    /// The run as a file of one of [`export::FORMATS`].
    pub fn saved(&self, format: &str) -> Result<Vec<u8>, Thrown> {
        let known = export::FORMATS.iter().find(|(name, _)| *name == format);
        let unknown = || Thrown::Failure(JsError::new(&format!("no format {format}")));
        let (_, write) = known.ok_or_else(unknown)?;
        let mut bytes = Vec::new();
        write(&self.opened, &mut bytes).map_err(|why| match why {
            Unwritten::Refused(saying) => Thrown::Refusal(saying),
            Unwritten::Failed(error) => error.into(),
        })?;
        Ok(bytes)
    }
}
