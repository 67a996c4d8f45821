//! The catalogue with one parameter moved: to ask what depends on it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::instrumented::on_a_kernel;
use super::steps::{is_path, said_at};
use super::{
    Catalogue, CatalogueError, INSTRUMENTATION, KERNELS, MACHINES, Named, OwnFile, WORKLOADS,
};
use super::{merged, values, wrong};
use crate::config::field_path::{at, is_below, name_of};
use crate::config::range::End;
use crate::config::source::{Reference, Standing};

/// A catalogue in which one parameter is another.
#[derive(Debug)]
pub struct Moved {
    /// The catalogue.
    pub catalogue: Catalogue,
    /// The files that are not as they were, by name (`kernels/6.1`): the parameter's own, and those
    /// that are based on it.
    pub files: Vec<String>,
}

impl Catalogue {
    /// The paths of the sources that stand in a shipped file itself, not in one that it is based on.
    pub fn own_paths(file: &str) -> Result<Vec<String>, CatalogueError> {
        let fields = own_fields(file)?;
        let sources = fields.get("sources").and_then(Value::as_object);
        let said = sources
            .into_iter()
            .flatten()
            .filter(|(_, it)| !it.is_null());
        Ok(said.map(|(path, _)| path.clone()).collect())
    }

    /// What a shipped file says, with all that it is based on; none of a file that is not there.
    pub fn fields(file: &str) -> Option<Map<String, Value>> {
        let mut all = all_fields(&[]).ok()?.into_iter();
        let named = all.find(|named| named.stem() == file)?;
        Some(named.fields)
    }

    /// The shipped catalogue with what is behind a source made another value, or all numbers of it
    /// multiplied by so many thousandths, and with it whatever is the same, in any file. A number that
    /// another source of the file speaks of stays. The error says that nothing differs, or why it
    /// cannot be another.
    pub fn moved(file: &str, path: &str, to: &End) -> Result<Moved, CatalogueError> {
        let name = format!("data/{file}.json");
        let mut fields = own_fields(file)?;
        let mut others = Self::own_paths(file)?;
        others.retain(|other| other != path);
        let before = fields.clone();
        match to {
            End::Permille(permille) => {
                for (field, value) in &mut fields {
                    if field != "sources" {
                        scale(value, field, path, &others, *permille);
                    }
                }
            }
            End::Value(value) => {
                if let Some(said) = said_at(&mut fields, path) {
                    *said = value.clone();
                }
            }
        }
        if fields == before {
            return Err(wrong(&name, &"no number that differs"));
        }
        let mut files = BTreeMap::from([(file.to_owned(), fields)]);
        while follow(&mut files)? {}
        files.values_mut().for_each(forget_ranges);
        let own: Vec<OwnFile> = own_files(&files);
        let (was, is) = (all_fields(&[])?, all_fields(&own)?);
        let pairs = was.iter().zip(&is);
        let changed = pairs.filter(|(was, is)| was.fields != is.fields);
        Ok(Moved {
            catalogue: Self::with(&own)?,
            files: changed.map(|(_, is)| is.stem()).collect(),
        })
    }
}

/// A range is that of the value which stands in the file, and says nothing of another.
fn forget_ranges(fields: &mut Map<String, Value>) {
    let sources = fields.get_mut("sources").and_then(Value::as_object_mut);
    let sources = sources.into_iter().flat_map(Map::values_mut);
    for source in sources.filter_map(Value::as_object_mut) {
        if source.remove("range").is_some() {
            source.insert("standing".to_owned(), json!(Standing::Chosen));
        }
    }
}

/// Takes over, where a source says that its value is the same as another, what that one has become.
/// Whether anything was.
fn follow(files: &mut BTreeMap<String, Map<String, Value>>) -> Result<bool, CatalogueError> {
    let all = all_fields(&own_files(files))?;
    let value = |file: &str, path: &str| {
        let named = all.iter().find(|named| named.stem() == file)?;
        at(&named.fields, path).cloned()
    };
    let mut has_followed = false;
    for named in &all {
        let file = named.stem();
        let sources = named.fields.get("sources").and_then(Value::as_object);
        for (path, source) in sources.into_iter().flatten() {
            let same_as = source.get("same_as").and_then(Value::as_str);
            let Some(reference) = same_as.map(|to| Reference(to.to_owned())) else {
                continue;
            };
            let (of, other) = reference.parts();
            let target = value(of.unwrap_or(&file), other.unwrap_or(path));
            if target.is_none() || target == value(&file, path) {
                continue;
            }
            if !files.contains_key(&file) {
                files.insert(file.clone(), own_fields(&file)?);
            }
            let own = files.get_mut(&file).and_then(|own| said_at(own, path));
            // What stands in the file's base follows there.
            if let (Some(own), Some(target)) = (own, target) {
                *own = target;
                has_followed = true;
            }
        }
    }
    Ok(has_followed)
}

fn own_files(files: &BTreeMap<String, Map<String, Value>>) -> Vec<OwnFile> {
    let text = |(file, fields): (&String, &Map<String, Value>)| {
        let text = Value::Object(fields.clone()).to_string();
        (format!("{file}.json"), text)
    };
    files.iter().map(text).collect()
}

/// What a shipped file itself says.
fn own_fields(file: &str) -> Result<Map<String, Value>, CatalogueError> {
    let path = format!("data/{file}.json");
    let all = [
        (MACHINES, "machines"),
        (KERNELS, "kernels"),
        (INSTRUMENTATION, "instrumentation"),
        (WORKLOADS, "workloads"),
    ];
    for (files, folder) in all {
        let named = values(files, folder, &[])?;
        if let Some(found) = named.into_iter().find(|named| named.file == path) {
            return Ok(found.fields);
        }
    }
    Err(wrong(&path, &"there is no such file"))
}

/// Every machine, kernel, instrumentation and workload, complete.
fn all_fields(own: &[OwnFile]) -> Result<Vec<Named>, CatalogueError> {
    let mut all = merged(&values(MACHINES, "machines", own)?)?;
    let kernels = merged(&values(KERNELS, "kernels", own)?)?;
    for named in values(INSTRUMENTATION, "instrumentation", own)? {
        all.push(on_a_kernel(&named, &kernels)?);
    }
    all.extend(kernels);
    all.extend(values(WORKLOADS, "workloads", own)?);
    Ok(all)
}

/// Multiplies the whole numbers at and below a path, but for those that other paths speak of.
fn scale(value: &mut Value, at: &str, path: &str, others: &[String], permille: u64) {
    let nearer = |other: &&String| is_below(at, other) && other.len() > path.len();
    if others.iter().any(|other| nearer(&other)) {
        return;
    }
    match value {
        Value::Object(edits) if is_path(at) => {
            for changed in edits.values_mut().filter_map(Value::as_object_mut) {
                for (function, of) in changed {
                    // Steps that are put in have names of their own, a changed one is the base's.
                    let at = match of {
                        Value::Array(_) => at.to_owned(),
                        _ => format!("{at}.{function}"),
                    };
                    scale(of, &at, path, others, permille);
                }
            }
        }
        Value::Object(fields) => {
            for (field, value) in fields {
                scale(value, &format!("{at}.{field}"), path, others, permille);
            }
        }
        Value::Array(items) => {
            let names: Vec<String> = (0..items.len()).map(|it| name_of(items, it)).collect();
            for (name, value) in names.iter().zip(items) {
                scale(value, &format!("{at}.{name}"), path, others, permille);
            }
        }
        Value::Number(number) if is_below(at, path) => {
            if let Some(whole) = number.as_u64() {
                *value = json!((whole * permille + 500) / 1000);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_moves_with_its_group_but_for_what_has_a_source_of_its_own() {
        let moved =
            Catalogue::moved("machines/piii-700-8way", "cache", &End::Permille(1100)).unwrap();
        let shipped = Catalogue::shipped().unwrap();
        let cache = |catalogue: &Catalogue| {
            let machine = catalogue.machine("piii-700-8way").unwrap();
            let cache = machine.cache.as_ref().unwrap();
            (cache.kib, cache.memory_read_cycles)
        };
        let (kib, cycles) = cache(&shipped);
        assert_eq!(cache(&moved.catalogue), (kib * 11 / 10, cycles));
        assert_eq!(
            moved.files,
            ["machines/piii-700-8way", "machines/piii-700-8way-separate"]
        );
    }

    #[test]
    fn what_is_the_same_moves_along_in_every_file() {
        let moved = Catalogue::moved(
            "machines/xeon-3.2-dual",
            "processors.core_permille",
            &End::Permille(1100),
        );
        let catalogue = moved.unwrap().catalogue;
        let permille = |name: &str| catalogue.machine(name).unwrap().processors.core_permille;
        assert_eq!(permille("xeon-3.2-dual"), permille("p4-1.6"));
        assert_eq!(permille("xeon-3.2-dual"), permille("fermilab-fast-sender"));
        assert_ne!(permille("xeon-3.2-dual"), permille("piii-500-4way"));
    }

    #[test]
    fn a_guess_moves_to_the_ends_of_its_range() {
        let (file, path) = ("machines/p4-1.6", "processors.interrupt_ns");
        let shipped = Catalogue::shipped().unwrap();
        let mut parameters = shipped.parameters(file).iter();
        let guess = parameters.find(|one| one.path == path).unwrap();
        let range = guess.source.range.as_ref().unwrap();
        let is = shipped.machine("p4-1.6").unwrap().processors.interrupt_ns;
        let mut ends = Vec::new();
        for (_, end) in range.ends(&json!(is)) {
            let moved = Catalogue::moved(file, path, &end).unwrap().catalogue;
            ends.push(moved.machine("p4-1.6").unwrap().processors.interrupt_ns);
        }
        assert!(ends[0] < is && is < ends[1], "{ends:?}");
    }

    #[test]
    fn a_step_that_a_file_puts_into_a_path_of_its_base_moves() {
        let cycles = |catalogue: &Catalogue, function: &str| {
            let path = &catalogue.kernel("2.6.3-nat").unwrap().paths["ip_receive"];
            path.iter()
                .find(|step| step.function == function)
                .unwrap()
                .cycles
        };
        let moved = Catalogue::moved(
            "kernels/2.6.3-nat",
            "paths.ip_receive",
            &End::Permille(2000),
        );
        let (moved, shipped) = (moved.unwrap().catalogue, Catalogue::shipped().unwrap());
        let of = |function: &str| (cycles(&moved, function), cycles(&shipped, function));
        let (is, was) = of("ipt_do_table");
        assert_eq!(is, 2 * was);
        assert_eq!(of("ip_rcv").0, of("ip_rcv").1, "it is the base's");
    }

    #[test]
    fn what_cannot_move_says_why() {
        for (file, path, why) in [
            ("machines/cray", "cache", "there is no such file"),
            (
                "machines/p4-1.6",
                "interrupt_routing",
                "no number that differs",
            ),
        ] {
            let error = Catalogue::moved(file, path, &End::Permille(1100)).unwrap_err();
            assert_eq!(error.to_string(), format!("data/{file}.json: {why}"));
        }
    }
}
