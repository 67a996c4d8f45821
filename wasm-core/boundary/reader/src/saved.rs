//! An open run as a file to save.

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::session::Session;
use ringside::export;

#[wasm_bindgen]
impl Session {
    /// The run as a file of one of [`export::FORMATS`].
    pub fn saved(&self, format: &str) -> Result<Vec<u8>, JsError> {
        let known = export::FORMATS.iter().find(|(name, _)| *name == format);
        let (_, write) = known.ok_or_else(|| JsError::new(&format!("no format {format}")))?;
        let mut bytes = Vec::new();
        write(&self.opened, &mut bytes).map_err(|error| JsError::new(&error.to_string()))?;
        Ok(bytes)
    }
}
