//! Executes a script's events in order: advances the clock to each, and compares what was sent with it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::config::kernel::Kernel;
use crate::tcp::Flags;
use crate::time::SimTime;

use super::calls::{Progress, Returned};
use super::host::{Host, Sent};
use super::python::Statement;
use super::recording::Recording;
use super::script::{Call, Event, LATEST_US, Packet, Script, Us, What, When};
use super::{Difference, Outcome, Refused, compare, info};

/// Time after which a call without a stated end counts as hanging, in microseconds.
const PATIENCE_US: Us = 10_000_000;

/// Duration of an event in microseconds: almost none, but what it sent is older than that at the next event.
const EVENT_US: Us = 1;

/// The reason why a script ends early.
enum Stop {
    Refused(Refused),
    Difference(Difference),
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        Stop::Refused(refused)
    }
}

/// The execution of one script.
pub struct Runner<'a> {
    script: &'a Script,
    host: Host,
    recording: Recording,
    /// Time of the previous event.
    base: Us,
    /// Whether the last event was an incoming packet; `None` before the first.
    was_inbound: Option<bool>,
    /// The call that is blocked, if any.
    blocked: Option<Blocked<'a>>,
    /// Names to which the script assigned numbers.
    names: BTreeMap<String, i64>,
}

/// A blocked call.
struct Blocked<'a> {
    call: &'a Call,
    line: u32,
    progress: Progress,
    ends: Us,
}

fn at(us: Us) -> SimTime {
    SimTime::from_us(us.clamp(0, LATEST_US) as u64)
}

fn us(time: SimTime) -> Us {
    (time.0 / 1_000_000_000) as Us
}

fn difference(line: u32, what: String) -> Stop {
    Stop::Difference(Difference { line, what })
}

impl<'a> Runner<'a> {
    pub fn new(script: &'a Script, kernel: &Kernel) -> Self {
        Self {
            script,
            host: Host::new(kernel, &script.settings),
            recording: Recording::new(kernel),
            base: 0,
            was_inbound: None,
            blocked: None,
            names: BTreeMap::new(),
        }
    }

    pub fn run(mut self) -> Result<Outcome, Refused> {
        let found = match self.all() {
            Ok(()) => None,
            Err(Stop::Refused(refused)) => return Err(refused),
            Err(Stop::Difference(difference)) => Some(difference),
        };
        Ok(Outcome {
            difference: found,
            run: self.recording.finish(),
        })
    }

    fn all(&mut self) -> Result<(), Stop> {
        for event in &self.script.events {
            self.one(event)?;
        }
        self.finish_call()
    }

    fn one(&mut self, event: &'a Event) -> Result<(), Stop> {
        if matches!(event.what, What::Call(_)) {
            self.finish_call()?;
        }
        let since = self.since(event);
        let (from, to) = match event.when {
            When::At(time) => (time, time),
            When::After(time) => (since + time, since + time),
            When::Between(from, to) => (from, to),
            When::BetweenAfter(from, to) => (since + from, since + to),
            When::Any => (since, Us::MAX / 2),
        };
        if from > LATEST_US {
            let latest = LATEST_US / 1_000_000;
            let why = format!("it is later than {latest} seconds, when the model's clock ends");
            return Err(Refused::new(event.line, why).into());
        }
        let before = self.base;
        self.base = from;
        match &event.what {
            What::Packet(packet) if packet.is_outbound => {
                let found = self.outbound(packet, event.line, (from, to))?;
                if event.when == When::Any {
                    self.base = found;
                }
                return Ok(());
            }
            _ => self.advance(from)?,
        }
        match &event.what {
            What::Packet(packet) => {
                self.recording.inbound(&self.host, packet);
                self.host.receive(packet);
                self.settle()?;
            }
            What::Call(call) => {
                let ends = call.ends.map(|ends| {
                    let is_relative = matches!(event.when, When::After(_));
                    if is_relative { before + ends } else { ends }
                });
                self.call(call, event.line, ends)?;
            }
            What::Code(statements) => self.code(statements, event.line)?,
            What::Command(settings) => {
                if !settings.values.is_empty() || settings.has_offloads.is_some() {
                    let why = "settings can only be changed before the first event";
                    return Err(Refused::new(event.line, why).into());
                }
            }
        }
        Ok(())
    }

    /// The base of an event's relative time: the end of the previous event, which takes [`EVENT_US`]
    /// (packetdrill, `run.c: adjust_relative_event_times`) except between incoming packets.
    fn since(&mut self, event: &Event) -> Us {
        let is_inbound = matches!(&event.what, What::Packet(packet) if !packet.is_outbound);
        let was_inbound = self.was_inbound.replace(is_inbound);
        let has_taken_time = was_inbound.is_some_and(|was_inbound| !was_inbound || !is_inbound);
        self.base + Us::from(has_taken_time) * EVENT_US
    }

    /// Advances the clock to `to` and runs the timers that expire on the way.
    fn advance(&mut self, to: Us) -> Result<(), Stop> {
        while self.host.next_timer() <= at(to) {
            self.fire()?;
        }
        self.host.now = self.host.now.max(at(to));
        Ok(())
    }

    fn fire(&mut self) -> Result<(), Stop> {
        self.host.now = self.host.now.max(self.host.next_timer());
        self.host.fire();
        self.settle()
    }

    /// After each event: records what was sent, and continues a blocked call.
    fn settle(&mut self) -> Result<(), Stop> {
        if let Some(mut blocked) = self.blocked.take() {
            let returned = self
                .host
                .call(blocked.call, blocked.line, &mut blocked.progress)?;
            if returned == Returned::Blocked {
                self.blocked = Some(blocked);
            } else {
                self.returned(blocked.call, blocked.line, returned)?;
                self.in_time(&blocked)?;
            }
        }
        self.recording.outbound(&mut self.host);
        Ok(())
    }

    fn in_time(&self, blocked: &Blocked<'_>) -> Result<(), Stop> {
        let ends = (blocked.ends, blocked.ends);
        let now = us(self.host.now);
        match compare::timing("system call return", ends, self.script.tolerance, now) {
            None => Ok(()),
            Some(why) => Err(difference(blocked.line, why)),
        }
    }

    /// Waits for a blocked call, which has to return before the next one.
    fn finish_call(&mut self) -> Result<(), Stop> {
        while let Some(blocked) = &self.blocked {
            let (line, name) = (blocked.line, &blocked.call.name);
            if self.host.next_timer() > at(blocked.ends + self.script.tolerance) {
                let why = format!("runtime error in {name} call: it does not return");
                return Err(difference(line, why));
            }
            self.fire()?;
        }
        Ok(())
    }

    fn call(&mut self, call: &'a Call, line: u32, ends: Option<Us>) -> Result<(), Stop> {
        let mut progress = Progress::default();
        self.recording.call(&self.host, call);
        let returned = self.host.call(call, line, &mut progress)?;
        self.recording.outbound(&mut self.host);
        if returned != Returned::Blocked {
            self.returned(call, line, returned)?;
            let now = us(self.host.now);
            let Some(ends) = ends else {
                return Ok(());
            };
            let ends = (ends, ends);
            return match compare::timing("system call return", ends, self.script.tolerance, now) {
                None => Ok(()),
                Some(why) => Err(difference(line, why)),
            };
        }
        let until = ends.unwrap_or(us(self.host.now) + PATIENCE_US);
        self.blocked = Some(Blocked {
            call,
            line,
            progress,
            ends: until,
        });
        if ends.is_none() {
            self.finish_call()?;
        }
        Ok(())
    }

    /// Compares the result of a call with the script's.
    fn returned(&mut self, call: &Call, line: u32, returned: Returned) -> Result<(), Stop> {
        let wrong = |what: String| {
            let why = format!("runtime error in {} call: {what}", call.name);
            Err(difference(line, why))
        };
        self.recording.returned(&self.host, call);
        if let Some((expected, found)) = self.host.bad_output.take() {
            return wrong(format!("Expected value {expected} but got {found}"));
        }
        let (value, errno) = match returned {
            Returned::Value(value) => (value, None),
            Returned::Error(errno) => (-1, Some(errno)),
            Returned::Blocked => return Ok(()),
        };
        let named = errno.map_or(String::new(), |errno| format!(" with errno {errno}"));
        if let Some(expected) = call.result.filter(|expected| *expected != value) {
            return wrong(format!("Expected result {expected} but got {value}{named}"));
        }
        match (&call.errno, errno) {
            (Some(expected), Some(actual)) if expected != actual => {
                wrong(format!("Expected errno {expected} but got {actual}"))
            }
            _ => Ok(()),
        }
    }

    /// Expects a segment to be sent, as one or in parts; returns when it was.
    fn outbound(&mut self, packet: &Packet, line: u32, span: (Us, Us)) -> Result<Us, Stop> {
        let tolerance = self.script.tolerance;
        let failed = |why: String| difference(line, format!("error handling packet: {why}"));
        let mut pieces: Vec<Sent> = Vec::new();
        let mut len = 0;
        while pieces.is_empty() || len < packet.len {
            while self.host.sent.is_empty() {
                let latest = at(span.1.saturating_add(tolerance));
                if self.host.next_timer() > latest {
                    let mut why = "timed out waiting for packet".to_owned();
                    why = format!("{why}\n{}", compare::script_line(packet, span.0));
                    return Err(failed(why));
                }
                self.fire()?;
            }
            let Some(mut piece) = self.host.sent.pop_front() else {
                break;
            };
            if packet.flags.contains(Flags::SYN) && piece.segment.flags.contains(Flags::SYN) {
                let connection = &mut self.host.connections[piece.connection];
                piece.segment.seq += packet.seq - connection.local_isn.min(packet.seq);
                connection.local_isn = packet.seq;
            }
            len += piece.segment.len;
            pieces.push(piece);
        }
        let first = &pieces[0];
        let found = us(first.at);
        let told = |why: String, actual: &Sent| {
            let script = compare::script_line(packet, span.0);
            failed(format!(
                "{why}\n{script}\n{}",
                compare::actual_line(actual, found)
            ))
        };
        let actual = compare::joined(&pieces, packet.len).map_err(|why| told(why, first))?;
        if let Some(why) = compare::field(packet, &actual) {
            return Err(told(why, &actual));
        }
        if let Some(why) = compare::timing("outbound packet", span, tolerance, found) {
            return Err(told(why, &actual));
        }
        Ok(found)
    }

    fn code(&mut self, statements: &[Statement], line: u32) -> Result<(), Stop> {
        let connection = self.host.under_test;
        let connection = connection.map(|number| &self.host.connections[number]);
        let names = RefCell::new(&mut self.names);
        let lookup = |name: &str| {
            let known = names.borrow().get(name).copied();
            known.or_else(|| info::value(connection, name))
        };
        for statement in statements {
            let refuse = |why: String| Stop::Refused(Refused::new(line, why));
            match statement {
                Statement::Set(name, value) => {
                    let value = value.value(&lookup).map_err(refuse)?;
                    names.borrow_mut().insert(name.clone(), value);
                }
                Statement::Assert(condition, text) => {
                    if condition.value(&lookup).map_err(refuse)? == 0 {
                        let mut found = BTreeMap::new();
                        condition.names(&mut found, &lookup);
                        found.retain(|name, _| !name.starts_with("TCP_"));
                        let found: Vec<String> = found
                            .iter()
                            .map(|(name, value)| format!("{name} is {value}"))
                            .collect();
                        let found = found.join(", ");
                        let why = format!("error executing code: assert {text}: {found}");
                        return Err(difference(line, why));
                    }
                }
            }
        }
        Ok(())
    }
}
