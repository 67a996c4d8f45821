//! Parses one record of a kperf file without changing the run.

use std::collections::BTreeMap;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::value::{Value, address, key, number, time};
use crate::kernel::{Context, CpuId, Event, Field, Nanos, Pid, Probe};

/// The vocabulary by name.
#[derive(Debug, Clone)]
pub(super) struct Words {
    probes: IndexMap<&'static [u8], Probe, RandomState>,
    fields: IndexMap<&'static [u8], Field, RandomState>,
}

impl Words {
    pub(super) fn new() -> Self {
        let probes = Probe::ALL
            .iter()
            .map(|&probe| (probe.name().as_bytes(), probe));
        let fields = Field::ALL
            .iter()
            .map(|&field| (field.name().as_bytes(), field));
        Self {
            probes: probes.collect(),
            fields: fields.collect(),
        }
    }

    pub(super) fn probe(&self, name: &[u8]) -> Option<Probe> {
        self.probes.get(name).copied()
    }
}

/// The content of a line, its texts and addresses not yet interned.
#[derive(Debug, Clone)]
pub(super) struct Record<'a> {
    pub(super) event: Event,
    pub(super) skb: u64,
    pub(super) sk: u64,
    pub(super) fields: Vec<(Field, Value<'a>)>,
    pub(super) unknown_keys: Vec<&'a [u8]>,
}

/// Why a line is not an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Problem {
    /// Its event is not in the vocabulary.
    Unknown(String),
    /// It cannot be read, for this reason.
    Malformed(String),
}

impl From<String> for Problem {
    fn from(why: String) -> Self {
        Self::Malformed(why)
    }
}

/// Reads a record.
pub(super) fn read<'a>(
    text: &'a [u8],
    words: &Words,
    ids: &BTreeMap<u32, Result<Probe, String>>,
) -> Result<Record<'a>, Problem> {
    let mut rest = Rest {
        words: text.split(u8::is_ascii_whitespace),
    };
    let first = rest.word("the record's number")?;
    number(first)
        .ok_or_else(|| format!("a record begins with its number, not `{}`", show(first)))?;
    match rest.word("`id` or `ev`")? {
        b"id" => packet(rest, words, ids),
        b"ev" => other(rest, words),
        word => Err(format!(
            "after the record's number comes `id` or `ev`, not `{}`",
            show(word)
        )
        .into()),
    }
}

/// `id P seq S thread T ts TIME xF`, then pairs.
fn packet<'a>(
    mut rest: Rest<'a, impl Iterator<Item = &'a [u8]>>,
    words: &Words,
    ids: &BTreeMap<u32, Result<Probe, String>>,
) -> Result<Record<'a>, Problem> {
    let id = rest.u32("the probe's id")?;
    rest.expect("seq")?;
    let seq = rest.u32("the packet's number")?;
    rest.expect("thread")?;
    let thread = rest.u32("the thread's number")?;
    rest.expect("ts")?;
    let time = rest.time()?;
    let frames = rest.word("the number of frames, as `x90`")?;
    let frames = frames
        .strip_prefix(b"x")
        .and_then(number)
        .and_then(|frames| u32::try_from(frames).ok())
        .ok_or_else(|| {
            format!(
                "the number of frames is written as `x90`, not `{}`",
                show(frames)
            )
        })?;
    let probe = match ids.get(&id) {
        Some(Ok(probe)) => *probe,
        Some(Err(name)) => return Err(Problem::Unknown(name.clone())),
        None => return Err(Problem::Unknown(format!("id {id}"))),
    };
    let leading = vec![
        (Field::Packet, Value::Number(seq)),
        (Field::Thread, Value::Number(thread)),
        (Field::Frames, Value::Number(frames)),
    ];
    pairs(Event::new(time, probe), leading, rest, words)
}

/// `ev NAME ts TIME`, then pairs.
fn other<'a>(
    mut rest: Rest<'a, impl Iterator<Item = &'a [u8]>>,
    words: &Words,
) -> Result<Record<'a>, Problem> {
    let name = rest.word("the event's name")?;
    rest.expect("ts")?;
    let time = rest.time()?;
    let Some(probe) = words.probe(name) else {
        return Err(Problem::Unknown(show(name)));
    };
    pairs(Event::new(time, probe), Vec::new(), rest, words)
}

fn pairs<'a>(
    mut event: Event,
    fields: Vec<(Field, Value<'a>)>,
    mut rest: Rest<'a, impl Iterator<Item = &'a [u8]>>,
    words: &Words,
) -> Result<Record<'a>, Problem> {
    let mut record = Record {
        event,
        skb: 0,
        sk: 0,
        fields,
        unknown_keys: Vec::new(),
    };
    while let Some(name) = rest.next() {
        let word = rest
            .next()
            .ok_or_else(|| format!("the line ends after the key `{}`", show(name)))?;
        if let Some(&field) = words.fields.get(name) {
            record.fields.push((field, Value::read(field, word)?));
            continue;
        }
        let is_read = match std::str::from_utf8(name).unwrap_or_default() {
            key::CPU => below(word, u16::MAX).map(|cpu| event.cpu = CpuId(cpu)),
            key::CTX => context(word).map(|context| event.context = context),
            key::PID => below(word, u32::MAX).map(|pid| event.pid = Pid(pid)),
            key::LEN => below(word, u32::MAX).map(|len| event.len = len),
            key::SKB => address(word).map(|skb| record.skb = skb),
            key::SK => address(word).map(|sk| record.sk = sk),
            _ => {
                record.unknown_keys.push(name);
                Some(())
            }
        };
        is_read.ok_or_else(|| format!("`{}` cannot be `{}`", show(name), show(word)))?;
    }
    record.event = event;
    Ok(record)
}

/// The remaining words of a line.
struct Rest<'a, W: Iterator<Item = &'a [u8]>> {
    words: W,
}

impl<'a, W: Iterator<Item = &'a [u8]>> Rest<'a, W> {
    fn next(&mut self) -> Option<&'a [u8]> {
        self.words.find(|word| !word.is_empty())
    }

    fn word(&mut self, what: &str) -> Result<&'a [u8], String> {
        self.next()
            .ok_or_else(|| format!("the line ends before {what}"))
    }

    fn expect(&mut self, key: &str) -> Result<(), String> {
        let word = self.word(&format!("`{key}`"))?;
        if word == key.as_bytes() {
            return Ok(());
        }
        Err(format!("`{key}` is expected, not `{}`", show(word)))
    }

    fn u32(&mut self, what: &str) -> Result<u32, String> {
        let word = self.word(what)?;
        number(word)
            .and_then(|value| u32::try_from(value).ok())
            .ok_or_else(|| {
                format!(
                    "{what} is a number of at most 32 bits, not `{}`",
                    show(word)
                )
            })
    }

    fn time(&mut self) -> Result<Nanos, String> {
        let word = self.word("the time")?;
        time(word).ok_or_else(|| {
            format!(
                "a time is seconds up to 9223372036, a point and 6 or 9 digits, not `{}`",
                show(word)
            )
        })
    }
}

fn context(word: &[u8]) -> Option<Context> {
    Context::from_name(std::str::from_utf8(word).ok()?)
}

/// A number less than the value that stands for "not recorded".
fn below<N: TryFrom<u64> + Copy + PartialOrd>(word: &[u8], unknown: N) -> Option<N> {
    let value = N::try_from(number(word)?).ok()?;
    (value < unknown).then_some(value)
}

fn show(word: &[u8]) -> String {
    String::from_utf8_lossy(&word[..word.len().min(60)]).into_owned()
}
