//! A run as Chrome trace JSON (the Trace Event Format, "JSON Object Format"), which Perfetto and
//! `chrome://tracing` open: a track for each CPU with what it did, in it what it did it for, an
//! arrow from each place where a CPU worked on a packet to the next, and the queues' depths.
//!
//! Times are microseconds since the run's start with three digits behind the point, so no
//! nanosecond is lost. What the format has no place for stands in `otherData`: where the run
//! comes from and what it said of itself. It cannot be read back: it has no events.
//!
//! Source: Trace Event Format, Google, 2016 ("Complete Events", "Flow Events", "Counter Events",
//! "Instant Events", "Async Events", "Metadata Events").

mod packets;

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::import::kperf::value;
use crate::kernel::{Context, Nanos, Pid};
use crate::replay::{Doing, Lane, Queue, Replay};

use crate::kernel::softirq;

/// The process of the CPUs; each CPU is a thread.
const HOST: u32 = 1;
/// The process of the queues' counters.
const QUEUES: u32 = 2;
/// The process of packets where no CPU is told.
const ELSEWHERE: u32 = 3;

/// Writes the run.
pub fn chrome_trace(replay: &Replay, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer {
        out,
        text: String::new(),
        replay,
        is_first: true,
    };
    writer.head()?;
    for (lane, work) in replay.lanes.lanes.iter().zip(&replay.journeys.work) {
        writer.lane(lane, work)?;
    }
    writer.arrows()?;
    writer.drops()?;
    writer.elsewhere()?;
    for queue in &replay.queues {
        writer.queue(queue)?;
    }
    writer.text.push_str("\n]}\n");
    writer.flush()
}

/// How much text is gathered before it is handed on.
const BUFFER: usize = 1 << 16;

/// The JSON under way.
struct Writer<'a> {
    out: &'a mut dyn Write,
    text: String,
    replay: &'a Replay,
    /// No event was written yet.
    is_first: bool,
}

impl Writer<'_> {
    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }

    /// Writes an event: its phase, and the rest of its members as JSON.
    fn event(&mut self, phase: char, members: std::fmt::Arguments<'_>) -> io::Result<()> {
        let comma = if self.is_first { "\n" } else { ",\n" };
        self.is_first = false;
        let text = &mut self.text;
        write!(text, "{comma}{{\"ph\":\"{phase}\",{members}}}").map_err(io::Error::other)?;
        if self.text.len() > BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    fn head(&mut self) -> io::Result<()> {
        let run = &self.replay.run;
        let origin = value::origin(run.origin);
        let mut text = format!(
            "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"writer\":\"Ringside {}\",\"origin\":\"{origin}\"",
            env!("CARGO_PKG_VERSION")
        );
        for (name, said) in &run.metadata {
            let (name, said) = (json(&format!("run: {name}")), json(said));
            write!(text, ",{name}:{said}").map_err(io::Error::other)?;
        }
        text.push_str("},\"traceEvents\":[");
        self.text.push_str(&text);
        self.name_process(HOST, &format!("host ({origin})"))?;
        self.name_process(QUEUES, &format!("queues ({origin})"))?;
        for lane in &self.replay.lanes.lanes {
            let cpu = lane.cpu.0;
            let tid = thread(lane.cpu);
            self.event(
                'M',
                format_args!(
                    r#""name":"thread_name","pid":{HOST},"tid":{tid},"args":{{"name":"CPU {cpu}"}}"#
                ),
            )?;
            self.event(
                'M',
                format_args!(
                    r#""name":"thread_sort_index","pid":{HOST},"tid":{tid},"args":{{"sort_index":{tid}}}"#
                ),
            )?;
        }
        Ok(())
    }

    fn name_process(&mut self, pid: u32, name: &str) -> io::Result<()> {
        let name = json(name);
        self.event(
            'M',
            format_args!(r#""name":"process_name","pid":{pid},"tid":0,"args":{{"name":{name}}}"#),
        )?;
        self.event(
            'M',
            format_args!(
                r#""name":"process_sort_index","pid":{pid},"tid":0,"args":{{"sort_index":{pid}}}"#
            ),
        )
    }

    /// What a CPU did, each stretch with what it did for packets in it. An idle CPU has no slice.
    fn lane(&mut self, lane: &Lane, work: &crate::journey::service::Work) -> io::Result<()> {
        let tid = thread(lane.cpu);
        let mut step = 0;
        for index in 0..lane.from.len() {
            let (from, to) = (lane.from[index], self.replay.lanes.until(lane, index));
            let doing = lane.doing(index);
            if to <= from || doing.context == Context::Idle {
                continue;
            }
            let name = json(&self.doing(doing));
            let (ts, dur) = (self.ts(from), micros(to.since(from)));
            let context = doing.context.name();
            let task = match doing.pid {
                Pid::UNKNOWN => String::new(),
                Pid(pid) => format!(r#","args":{{"task":{pid}}}"#),
            };
            self.event(
                'X',
                format_args!(
                    r#""name":{name},"cat":"{context}","pid":{HOST},"tid":{tid},"ts":{ts},"dur":{dur}{task}"#
                ),
            )?;
            step = self.work(work, step, (from, to))?;
        }
        Ok(())
    }

    /// What a CPU does, in words.
    fn doing(&self, doing: Doing) -> String {
        let detail = (doing.detail != Lane::NO_DETAIL).then_some(doing.detail);
        let task = || {
            let Pid(pid) = doing.pid;
            match self.replay.run.comm(doing.pid) {
                Some(comm) => comm.to_owned(),
                None if doing.pid == Pid::UNKNOWN => "task".to_owned(),
                None => format!("task {pid}"),
            }
        };
        match doing.context {
            Context::Softirq => match detail {
                None => "softirq".to_owned(),
                Some(vec) => softirq::name(vec).map_or_else(
                    || format!("softirq {vec}"),
                    |name| format!("softirq {name}"),
                ),
            },
            Context::Hardirq => detail.map_or_else(|| "irq".to_owned(), |irq| format!("irq {irq}")),
            Context::Kernel => format!("{} (kernel)", task()),
            Context::User => format!("{} (user)", task()),
            Context::Spinning => "lock spin".to_owned(),
            Context::Nmi => "NMI".to_owned(),
            Context::Idle => "idle".to_owned(),
            Context::Unknown => "not recorded".to_owned(),
        }
    }

    /// The depth of a queue, and its limit where it is told and when it changes.
    fn queue(&mut self, queue: &Queue) -> io::Result<()> {
        let label = if queue.label.is_empty() {
            format!("{} ({})", queue.kind, queue.unit)
        } else {
            format!("{} {} ({})", queue.kind, queue.label, queue.unit)
        };
        let (name, limit_name) = (json(&label), json(&format!("{label}: limit")));
        let mut known = 0;
        for (&at, (&depth, &limit)) in queue.at.iter().zip(queue.depth.iter().zip(&queue.limit)) {
            let ts = self.ts(at);
            self.event(
                'C',
                format_args!(
                    r#""name":{name},"pid":{QUEUES},"tid":0,"ts":{ts},"args":{{"depth":{depth}}}"#
                ),
            )?;
            if limit != known {
                known = limit;
                self.event(
                    'C',
                    format_args!(
                        r#""name":{limit_name},"pid":{QUEUES},"tid":0,"ts":{ts},"args":{{"limit":{limit}}}"#
                    ),
                )?;
            }
        }
        Ok(())
    }

    /// A moment in microseconds since the run's start.
    fn ts(&self, time: Nanos) -> String {
        micros(time.since(self.replay.run.start()))
    }
}

/// The thread of a CPU: from 1, as some readers take thread 0 for the process.
const fn thread(cpu: crate::kernel::CpuId) -> u32 {
    cpu.0 as u32 + 1
}

/// Nanoseconds as microseconds, to the nanosecond.
fn micros(nanos: u64) -> String {
    format!("{}.{:03}", nanos / 1000, nanos % 1000)
}

/// A text as JSON.
fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
