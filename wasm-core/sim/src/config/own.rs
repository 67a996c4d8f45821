//! A machine of one's own: the text of a file as `ringside measure-host` writes it, which somebody gives the
//! page. What is wrong with it is said before it can stand beside the shipped ones.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::catalogue::{Catalogue, CatalogueError, OwnFile};
use super::refusal::{Unfit, says};
use ringside::saying::Saying;

/// Longer texts than this describe no machine.
const MOST_BYTES: usize = 1 << 18;

/// The catalogue that was asked for last, for who asks for the same again and again: reading the files takes
/// longer than a short run.
#[derive(Debug, Default)]
pub struct Kept {
    last: Option<(Vec<String>, Rc<Catalogue>)>,
}

impl Kept {
    /// None yet.
    pub const fn new() -> Self {
        Self { last: None }
    }

    /// The same as [`with_machines`], read anew only where the texts are others than the last time; `data` never are.
    pub fn with_machines(
        &mut self,
        data: &[OwnFile],
        texts: Vec<String>,
    ) -> Result<Rc<Catalogue>, CatalogueError> {
        if let Some((kept, catalogue)) = &self.last
            && *kept == texts
        {
            return Ok(Rc::clone(catalogue));
        }
        let catalogue = Rc::new(with_machines(data, texts.clone())?);
        self.last = Some((texts, Rc::clone(&catalogue)));
        Ok(catalogue)
    }
}

/// The shipped catalogue with machines of one's own beside its machines. None may have the name of a
/// shipped one: a scenario's link would then mean something else on another page. `data` are the files that come
/// with the program, where they are not embedded.
pub fn with_machines(data: &[OwnFile], texts: Vec<String>) -> Result<Catalogue, CatalogueError> {
    let shipped = Catalogue::with(data)?;
    if texts.is_empty() {
        return Ok(shipped);
    }
    let mut files = data.to_vec();
    for text in texts {
        files.push(file(text, &shipped)?);
    }
    Catalogue::with(&files)
}

/// The path and text of a machine file, by the name in it.
fn file(text: String, shipped: &Catalogue) -> Result<OwnFile, CatalogueError> {
    let wrong = |why: Saying| CatalogueError {
        file: "machine file".to_owned(),
        why: Unfit(why),
    };
    if text.len() > MOST_BYTES {
        return Err(wrong(says::too_large(text.len() as u64, MOST_BYTES as u64)));
    }
    let fields: Map<String, Value> = serde_json::from_str(&text)
        .map_err(|error| wrong(says::no_json(error.line() as u64, error.column() as u64)))?;
    let name = fields.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| wrong(says::no_name()))?;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err(wrong(says::odd_name(format!("{name:?}"))));
    }
    if shipped.machine(name).is_some() {
        return Err(wrong(says::name_taken(format!("{name:?}"))));
    }
    Ok((format!("machines/{name}.json"), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINE: &str = r#"{
        "name": "mine", "title": "My host", "about": "", "based_on": "current-server",
        "cache": { "kib": 2048 }, "sources": { "cache.kib": "here" }
    }"#;

    fn refused(text: &str) -> String {
        with_machines(&[], vec![text.to_owned()])
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn what_was_asked_for_last_is_kept_and_nothing_else() {
        let mut kept = Kept::new();
        let shipped = kept.with_machines(&[], Vec::new()).unwrap();
        assert!(Rc::ptr_eq(
            &shipped,
            &kept.with_machines(&[], Vec::new()).unwrap()
        ));
        let mine = kept.with_machines(&[], vec![MINE.to_owned()]).unwrap();
        assert!(mine.machine("mine").is_some());
        assert!(kept.with_machines(&[], vec!["{".to_owned()]).is_err());
        let again = kept.with_machines(&[], vec![MINE.to_owned()]).unwrap();
        assert!(Rc::ptr_eq(&mine, &again));
        let other = MINE.replace("My host", "Another");
        let other = kept.with_machines(&[], vec![other]).unwrap();
        assert_eq!(other.machine("mine").unwrap().title, "Another");
    }

    #[test]
    fn a_machine_of_ones_own_stands_beside_the_shipped_ones() {
        let catalogue = with_machines(&[], vec![MINE.to_owned()]).unwrap();
        let machine = catalogue.machine("mine").unwrap();
        assert_eq!(
            (
                machine.cache.as_ref().unwrap().kib,
                machine.processors.cores
            ),
            (2048, 32)
        );
        assert!(catalogue.machine("current-server").is_some());
        assert_eq!(catalogue.parameters("machines/mine")[1].path, "cache.kib");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, why) in [
            ("[1]", "machine file: no JSON object"),
            ("{}", "machine file: name: it has none"),
            (
                r#"{"name": "../x"}"#,
                "machine file: name: \"../x\", but letters",
            ),
            (r#"{"name": "current-server"}"#, "is here already"),
            (r#"{"name": "x"}"#, "data/machines/x.json: missing field"),
        ] {
            assert!(refused(text).contains(why), "{}", refused(text));
        }
        let colder = MINE.replace("\"kib\"", "\"cold\"");
        assert!(refused(&colder).starts_with("data/machines/mine.json: "));
        let lines = MINE.replace("2048", "-1");
        assert!(refused(&lines).contains("mine.json: cache.kib: invalid value: integer `-1`"));
        let base = MINE.replace("current-server", "moon");
        assert!(refused(&base).contains("based on \"moon\", which is not there"));
    }
}
