//! A run as kperf 2 text (`traces/FORMAT.md`), so that importing the text gives the
//! same run: every event in order with all its values, metadata, tasks and origin.
//! Line numbers are the new file's.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::import::kperf::VERSION;
use crate::import::kperf::value::{self, Escape, encode, key};
use crate::kernel::{Context, Event, EventIdx, Field, NameId, Pid, Probe};
use crate::run::Run;

/// Writes the run. A 2005 record stays a packet line; everything else is an `ev` line.
pub fn kperf2(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    header(run, &mut text);
    for index in run.indices() {
        event(run, index, &mut text).map_err(io::Error::other)?;
        if text.len() > BUFFER {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
    }
    out.write_all(text.as_bytes())
}

/// How much text is gathered before it is handed on.
const BUFFER: usize = 1 << 16;

/// The fields that a packet line leads with, in its order.
const LEADING: [Field; 3] = [Field::Packet, Field::Thread, Field::Frames];

fn header(run: &Run, text: &mut String) {
    text.push_str("# kperf ");
    text.push_str(VERSION);
    text.push_str("\n# ");
    text.push_str(value::ORIGIN);
    text.push_str(": ");
    text.push_str(value::origin(run.origin));
    text.push('\n');
    for (name, said) in &run.metadata {
        text.push_str("# ");
        match name.strip_prefix('o') {
            // The file's own header has this name, so metadata of it is spelled with an escape.
            Some(rest) if name == value::ORIGIN => {
                text.push_str("%6F");
                text.push_str(rest);
            }
            _ => encode(name, Escape::Key, text),
        }
        text.push(':');
        if !said.is_empty() {
            text.push(' ');
            encode(said, Escape::Line, text);
        }
        text.push('\n');
    }
    for (&Pid(pid), &NameId(name)) in &run.comm {
        text.push_str("# comm ");
        text.push_str(&pid.to_string());
        text.push(' ');
        encode(run.names.text(NameId(name)), Escape::Word, text);
        text.push('\n');
    }
}

fn event(run: &Run, index: EventIdx, text: &mut String) -> std::fmt::Result {
    let event = run.event(index);
    let number = index.0 + 1;
    let (seconds, nanos) = (event.time.0 / 1_000_000_000, event.time.0 % 1_000_000_000);
    let mut written = 0;
    if let Some((id, [packet, thread, frames])) = packet_id(run, index, event.probe) {
        write!(
            text,
            "{number} id {id} seq {packet} thread {thread} ts {seconds}.{nanos:09} x{frames}"
        )?;
        written = LEADING.len();
    } else {
        write!(text, "{number} ev {} ts {seconds}.{nanos:09}", event.probe)?;
    }
    leading_columns(run, &event, text)?;
    for (field, value) in run.fields(index).skip(written) {
        write!(text, " {field} ")?;
        value::write(run, field, value, text);
    }
    text.push('\n');
    Ok(())
}

/// The id and the leading values of an event that a packet line can hold.
fn packet_id(run: &Run, index: EventIdx, probe: Probe) -> Option<(usize, [u32; 3])> {
    let id = Probe::KPERF.iter().position(|&known| known == probe)? + 1;
    let mut fields = run.fields(index);
    let mut values = [0; 3];
    for (value, key) in values.iter_mut().zip(LEADING) {
        let (field, found) = fields.next()?;
        if field != key {
            return None;
        }
        *value = found;
    }
    Some((id, values))
}

fn leading_columns(run: &Run, event: &Event, text: &mut String) -> std::fmt::Result {
    if event.cpu.is_known() {
        write!(text, " {} {}", key::CPU, event.cpu.0)?;
    }
    if event.context != Context::Unknown {
        write!(text, " {} {}", key::CTX, event.context)?;
    }
    if event.pid != Pid::UNKNOWN {
        write!(text, " {} {}", key::PID, event.pid.0)?;
    }
    if event.skb.is_some() {
        write!(text, " {} {:x}", key::SKB, run.addresses.value(event.skb))?;
    }
    if event.sk.is_some() {
        write!(text, " {} {:x}", key::SK, run.addresses.value(event.sk))?;
    }
    if event.len != Event::NO_LEN {
        write!(text, " {} {}", key::LEN, event.len)?;
    }
    Ok(())
}
