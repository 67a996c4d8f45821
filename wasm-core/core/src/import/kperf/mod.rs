//! kperf: the line format of the 2005 toolkit and kperf 2, our superset of it.
//! A 2005 line is `278 id 6 seq 31 thread 1 ts 1105888396.088332 x90` (Demter et al. 2005, section 3.4). A kperf 2
//! line may continue with key-value pairs, and `N ev NAME ts TIME key value ...` is an event of any other kind. The
//! grammar is in `traces/FORMAT.md`. Probes and keys have their names in the vocabulary; the writer is
//! [`crate::export::kperf2`].

pub(crate) mod value;

mod record;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::{Ledger, says};
use crate::kernel::{Event, Field, Origin, Pid, Probe};
use crate::run::RunBuilder;
use record::{Problem, Record, Words};
use value::{Value, decode, number};

/// The version on the first line of a kperf 2 file.
pub(crate) const VERSION: &str = "2";

/// Names in the paper's list (section 4.2) that share an id with another: TCP and UDP have their own for each layer
/// boundary.
const OLD_NAMES: [(&str, Probe); 6] = [
    ("TPS_TCP_IP", Probe::TpsTransIp),
    ("TPS_UDP_IP", Probe::TpsTransIp),
    ("TPR_IP_TCP", Probe::TprIpTrans),
    ("TPR_IP_UDP", Probe::TprIpTrans),
    ("TPR_TCP_SOCKET", Probe::TprTransSocket),
    ("TPR_UDP_SOCKET", Probe::TprTransSocket),
];

/// The parser of a kperf file's lines.
#[derive(Debug, Clone)]
pub struct Kperf {
    words: Words,
    /// The meaning of a packet line's id: a probe, or a name outside the vocabulary.
    ids: BTreeMap<u32, Result<Probe, String>>,
    unknown_keys: BTreeSet<String>,
    clipped: says::OfFirst,
}

impl Default for Kperf {
    fn default() -> Self {
        let ids = (1..).zip(Probe::KPERF.map(Ok)).collect();
        Self {
            words: Words::new(),
            ids,
            unknown_keys: BTreeSet::new(),
            clipped: says::OfFirst::new(says::clipped),
        }
    }
}

impl Kperf {
    /// How many different unknown keys the ledger's warnings name.
    const UNKNOWN_KEYS: usize = 20;

    /// Whether a line looks like a kperf record or the version line.
    pub fn is_like(line: &[u8]) -> bool {
        let mut words = line.trim_ascii().split(u8::is_ascii_whitespace);
        match (words.next(), words.next()) {
            (Some(b"#"), Some(b"kperf")) => words.next().is_some_and(|v| number(v).is_some()),
            (Some(first), Some(b"id" | b"ev")) => number(first).is_some(),
            _ => false,
        }
    }

    /// Reads a line and enters it in the ledger once.
    pub fn line(&mut self, number: u64, line: &[u8], run: &mut RunBuilder, ledger: &mut Ledger) {
        let text = line.trim_ascii();
        if text.is_empty() {
            ledger.skip("(blank line)", number, line);
            return;
        }
        if let Some(header) = text.strip_prefix(b"#") {
            match self.header(header.trim_ascii(), run, ledger) {
                Ok(Header::Understood) => ledger.understood += 1,
                Ok(Header::Remark) => ledger.skip("(remark)", number, line),
                Err(why) => ledger.malformed(number, line, &why),
            }
            return;
        }
        match record::read(text, &self.words, &self.ids) {
            Ok(record) => self.push(number, &record, run, ledger),
            Err(Problem::Unknown(name)) => ledger.unknown(&name, number, line),
            Err(Problem::Malformed(why)) => ledger.malformed(number, line, &why),
        }
    }

    fn push(&mut self, number: u64, record: &Record, run: &mut RunBuilder, ledger: &mut Ledger) {
        let (skb, sk) = (run.address(record.skb), run.address(record.sk));
        run.push(Event {
            skb,
            sk,
            line: u32::try_from(number).unwrap_or(u32::MAX),
            ..record.event
        });
        let mut lost = 0;
        for &(field, ref value) in &record.fields {
            let value = match value {
                Value::Number(number) => *number,
                Value::Clipped(nearest) => {
                    self.clipped.tell(number, ledger);
                    *nearest
                }
                Value::Address(address) => run.address(*address).0,
                Value::Name(name) => run.name(&decode(name)).0,
            };
            match field {
                Field::Count => lost |= u64::from(value),
                Field::CountHigh => lost |= u64::from(value) << 32,
                _ => {}
            }
            run.field(field, value);
        }
        if record.event.probe == Probe::LostEvents {
            ledger.lose(record.event.cpu, lost);
        } else {
            ledger.understood += 1;
        }
        for &key in &record.unknown_keys {
            self.warn_of_key(number, key, ledger);
        }
    }

    fn warn_of_key(&mut self, number: u64, key: &[u8], ledger: &mut Ledger) {
        let key = String::from_utf8_lossy(key).into_owned();
        if self.unknown_keys.len() < Self::UNKNOWN_KEYS && !self.unknown_keys.contains(&key) {
            ledger.warn(says::unknown_key(key.clone(), number));
            self.unknown_keys.insert(key);
        }
    }

    /// Reads a line after `#`: the version, `probe ID NAME`, `comm PID NAME`, `key: value` or a remark.
    fn header(
        &mut self,
        text: &[u8],
        run: &mut RunBuilder,
        ledger: &mut Ledger,
    ) -> Result<Header, String> {
        let mut words = text.split(u8::is_ascii_whitespace);
        let first = words.next().unwrap_or_default();
        let mut words = words.filter(|word| !word.is_empty());
        match first {
            b"kperf" => version(words.next(), ledger)?,
            b"probe" => self.name_id(words.next(), words.next(), ledger)?,
            b"comm" => name_task(words.next(), words.next(), run)?,
            _ => {
                let Some(key) = first.strip_suffix(b":") else {
                    return Ok(Header::Remark);
                };
                describe(key, text[first.len()..].trim_ascii(), run, ledger)?;
            }
        }
        Ok(Header::Understood)
    }

    fn name_id(
        &mut self,
        id: Option<&[u8]>,
        name: Option<&[u8]>,
        ledger: &mut Ledger,
    ) -> Result<(), String> {
        let (Some(id), Some(name)) = (id.and_then(number), name) else {
            return Err("a probe header is `# probe ID NAME`".to_owned());
        };
        let id = u32::try_from(id).map_err(|_| "a probe id has at most 32 bits".to_owned())?;
        let name = decode(name);
        let probe = self.words.probe(name.as_bytes()).or_else(|| {
            let known = OLD_NAMES.iter().find(|(old, _)| *old == name);
            known.map(|&(_, probe)| probe)
        });
        if probe.is_none() {
            ledger.warn(says::unknown_probe(
                name.clone().into_owned(),
                u64::from(id),
            ));
        }
        self.ids.insert(id, probe.ok_or_else(|| name.into_owned()));
        Ok(())
    }
}

/// The kind of a line after `#`.
enum Header {
    Understood,
    Remark,
}

fn version(version: Option<&[u8]>, ledger: &mut Ledger) -> Result<(), String> {
    let version = version.ok_or("`# kperf` without a version")?;
    if version != VERSION.as_bytes() {
        let version = String::from_utf8_lossy(version);
        ledger.warn(says::other_version(
            version.into_owned(),
            VERSION.to_owned(),
        ));
    }
    Ok(())
}

fn name_task(pid: Option<&[u8]>, name: Option<&[u8]>, run: &mut RunBuilder) -> Result<(), String> {
    let pid = pid.and_then(number).and_then(|pid| u32::try_from(pid).ok());
    let (Some(pid), Some(name)) = (pid, name) else {
        return Err("a task's header is `# comm PID NAME`".to_owned());
    };
    run.comm(Pid(pid), &decode(name));
    Ok(())
}

fn describe(
    key: &[u8],
    value: &[u8],
    run: &mut RunBuilder,
    ledger: &mut Ledger,
) -> Result<(), String> {
    if key == value::ORIGIN.as_bytes() {
        let origins = [Origin::Recorded, Origin::Simulated];
        let named = origins
            .into_iter()
            .find(|&origin| value::origin(origin).as_bytes() == value)
            .ok_or("the origin is `recorded` or `simulated`")?;
        run.origin(named);
    } else {
        super::describe(&decode(key), &decode(value), run, ledger);
    }
    Ok(())
}
