//! Chrome trace JSON held against the published format (Trace Event Format, Google, 2016) by a
//! reader that knows nothing of the writer: members and their types by phase, slices that lie
//! within each other, arrows that begin and end in a slice.

#![allow(
    clippy::unwrap_used,
    reason = "a file that cannot be read fails the test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use expect_test::expect;
use ringside::export::chrome_trace;
use ringside::import::Import;
use ringside::opened::Opened;
use serde_json::{Map, Value};
use sim::config::catalogue::Catalogue;
use sim::engine::simulate;

/// A track: process and thread.
type Track = (u64, u64);
/// Begin and end in nanoseconds.
type Slice = (u64, u64);

/// What a strict reader makes of a file.
#[derive(Default)]
struct Read {
    /// Slices of each track, in the order of the file.
    slices: BTreeMap<Track, Vec<Slice>>,
    /// Steps of each arrow: phase, track, time.
    arrows: BTreeMap<u64, Vec<(char, Track, u64)>>,
    /// Tracks with a name.
    named: BTreeSet<Track>,
    /// Processes with a name.
    processes: BTreeSet<u64>,
    /// Asynchronous slices that are open.
    open: BTreeMap<(u64, String), u32>,
    phases: BTreeMap<char, u32>,
}

/// Microseconds with three digits as nanoseconds; whatever else stands there is refused.
fn nanos(event: &Map<String, Value>, member: &str) -> u64 {
    let number = event[member].as_number().unwrap().as_f64().unwrap();
    let nanos = number * 1000.0;
    assert!(number >= 0.0, "{member} of {event:?}");
    assert!(
        (nanos - nanos.round()).abs() < 0.01,
        "{member} of {event:?} is finer than a nanosecond"
    );
    nanos.round() as u64
}

fn members(event: &Map<String, Value>, needed: &[&str], allowed: &[&str]) {
    for name in needed {
        assert!(event.contains_key(*name), "{event:?} has no {name}");
    }
    for name in event.keys() {
        let is_known = needed.contains(&name.as_str()) || allowed.contains(&name.as_str());
        assert!(is_known, "{event:?} has a {name}");
    }
}

impl Read {
    fn of(text: &str) -> Self {
        let file: Map<String, Value> = serde_json::from_str(text).unwrap();
        members(&file, &["traceEvents", "displayTimeUnit", "otherData"], &[]);
        assert!(matches!(
            file["displayTimeUnit"].as_str(),
            Some("ns" | "ms")
        ));
        assert!(matches!(
            file["otherData"]["origin"].as_str(),
            Some("recorded" | "simulated")
        ));
        let mut read = Self::default();
        for event in file["traceEvents"].as_array().unwrap() {
            read.event(event.as_object().unwrap());
        }
        read.check();
        read
    }

    fn event(&mut self, event: &Map<String, Value>) {
        let phase = event["ph"].as_str().unwrap();
        let phase = phase.parse::<char>().unwrap();
        *self.phases.entry(phase).or_default() += 1;
        assert!(!event["name"].as_str().unwrap().is_empty());
        let track = (
            event["pid"].as_u64().unwrap(),
            event["tid"].as_u64().unwrap(),
        );
        if let Some(args) = event.get("args") {
            assert!(args.is_object());
        }
        let always = ["ph", "name", "pid", "tid"];
        let with = |more: &[&'static str]| [&always[..], more].concat();
        match phase {
            'M' => {
                members(event, &with(&["args"]), &[]);
                let args = &event["args"];
                match event["name"].as_str().unwrap() {
                    "process_name" => {
                        assert!(args["name"].is_string() && self.processes.insert(track.0));
                    }
                    "thread_name" => assert!(args["name"].is_string() && self.named.insert(track)),
                    "process_sort_index" | "thread_sort_index" => {
                        assert!(args["sort_index"].is_u64());
                    }
                    other => panic!("no metadata {other}"),
                }
            }
            'X' => {
                members(event, &with(&["cat", "ts", "dur"]), &["args"]);
                let from = nanos(event, "ts");
                let slice = (from, from + nanos(event, "dur"));
                self.slices.entry(track).or_default().push(slice);
            }
            's' | 't' | 'f' => {
                members(event, &with(&["cat", "ts", "id"]), &["bp"]);
                assert!(event.get("bp").is_none_or(|bind| bind == "e"));
                let id = event["id"].as_u64().unwrap();
                let step = (phase, track, nanos(event, "ts"));
                self.arrows.entry(id).or_default().push(step);
            }
            'C' => {
                members(event, &with(&["ts", "args"]), &[]);
                let args = event["args"].as_object().unwrap();
                assert!(!args.is_empty() && args.values().all(Value::is_u64));
                nanos(event, "ts");
            }
            'i' => {
                members(event, &with(&["cat", "ts", "s"]), &["args"]);
                assert!(matches!(event["s"].as_str(), Some("t" | "p" | "g")));
                nanos(event, "ts");
            }
            'b' | 'e' => {
                members(event, &with(&["cat", "ts", "id"]), &[]);
                nanos(event, "ts");
                let name = event["name"].as_str().unwrap().to_owned();
                let open = self.open.entry((event["id"].as_u64().unwrap(), name));
                let open = open.or_default();
                *open = if phase == 'b' {
                    *open + 1
                } else {
                    open.checked_sub(1).unwrap()
                };
            }
            other => panic!("no phase {other}"),
        }
    }

    fn check(&self) {
        assert!(self.open.values().all(|&open| open == 0));
        for (track, slices) in &self.slices {
            assert!(self.named.contains(track), "{track:?} has no name");
            assert!(self.processes.contains(&track.0));
            // Each lies within those that are open or begins behind them.
            let mut open: Vec<Slice> = Vec::new();
            for &(from, to) in slices {
                assert!(from < to, "{track:?}: nothing lasts from {from} to {to}");
                while open.last().is_some_and(|&(_, end)| end <= from) {
                    open.pop();
                }
                if let Some(&(outer, end)) = open.last() {
                    assert!(
                        outer <= from && to <= end,
                        "{track:?}: {from} to {to} crosses"
                    );
                }
                open.push((from, to));
            }
        }
        for (id, steps) in &self.arrows {
            let phases: String = steps.iter().map(|step| step.0).collect();
            let middle = phases
                .strip_prefix('s')
                .and_then(|rest| rest.strip_suffix('f'));
            let middle = middle.unwrap_or_else(|| panic!("arrow {id} goes {phases}"));
            assert!(middle.chars().all(|phase| phase == 't'));
            assert!(
                steps.is_sorted_by_key(|step| step.2),
                "arrow {id} goes back"
            );
            for &(_, track, at) in steps {
                let is_bound = self.slices[&track].binary_search_by_key(&at, |slice| slice.0);
                assert!(
                    is_bound.is_ok(),
                    "arrow {id} at {at} is in no slice of {track:?}"
                );
            }
        }
    }
}

fn written(opened: &Opened) -> String {
    let mut bytes = Vec::new();
    chrome_trace(&opened.replay, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn imported(text: &[u8]) -> Opened {
    let mut import = Import::new();
    import.push(text);
    Opened::from(import.finish().unwrap())
}

#[test]
fn a_small_run_is_written_as_pinned() {
    let opened = imported(
        b"# kperf 2.0\n# origin: recorded\n# comm 7 re\"ader\n\
1 ev irq_handler_entry ts 1.000000000 cpu 0 ctx hardirq pid 0 irq 24\n\
2 ev irq_handler_exit ts 1.000001000 cpu 0 ctx hardirq pid 0 irq 24\n\
3 ev softirq_entry ts 1.000001500 cpu 0 ctx softirq pid 0 vec 3\n\
4 ev napi_gro_receive_entry ts 1.000002001 cpu 0 ctx softirq pid 0 skb aa len 100\n\
5 ev enqueue_to_backlog ts 1.000003000 cpu 0 ctx softirq pid 0 skb aa len 100\n\
6 ev softirq_exit ts 1.000004000 cpu 0 ctx softirq pid 0 vec 3\n\
7 ev softirq_entry ts 1.000004500 cpu 1 ctx softirq pid 7 vec 3\n\
8 ev netif_receive_skb ts 1.000005000 cpu 1 ctx softirq pid 7 skb aa len 100\n\
9 ev ip_rcv ts 1.000006000 cpu 1 ctx softirq pid 7 skb aa len 100\n\
10 ev kfree_skb ts 1.000006500 cpu 1 ctx softirq pid 7 skb aa len 100 reason NO_SOCKET\n\
11 ev softirq_exit ts 1.000007000 cpu 1 ctx softirq pid 7 vec 3\n\
12 ev sys_enter ts 1.000008000 cpu 1 ctx kernel pid 7\n\
13 ev sys_exit ts 1.000009000 cpu 1 ctx kernel pid 7\n",
    );
    let text = written(&opened);
    Read::of(&text);
    expect![[r#"
        {"displayTimeUnit":"ns","otherData":{"writer":"Ringside 0.1.0","origin":"recorded"},"traceEvents":[
        {"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"host (recorded)"}},
        {"ph":"M","name":"process_sort_index","pid":1,"tid":0,"args":{"sort_index":1}},
        {"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"queues (recorded)"}},
        {"ph":"M","name":"process_sort_index","pid":2,"tid":0,"args":{"sort_index":2}},
        {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"CPU 0"}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":1}},
        {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"CPU 1"}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":2}},
        {"ph":"X","name":"irq 24","cat":"hardirq","pid":1,"tid":1,"ts":0.000,"dur":1.000,"args":{"task":0}},
        {"ph":"X","name":"softirq NET_RX","cat":"softirq","pid":1,"tid":1,"ts":1.500,"dur":2.500,"args":{"task":0}},
        {"ph":"X","name":"GRO packet 0","cat":"packet","pid":1,"tid":1,"ts":2.001,"dur":0.999,"args":{"packet":0,"bytes":100}},
        {"ph":"X","name":"backlog packet 0","cat":"packet","pid":1,"tid":1,"ts":3.000,"dur":1.000,"args":{"packet":0,"bytes":100}},
        {"ph":"X","name":"not recorded","cat":"unknown","pid":1,"tid":2,"ts":0.000,"dur":4.500},
        {"ph":"X","name":"softirq NET_RX","cat":"softirq","pid":1,"tid":2,"ts":4.500,"dur":2.500,"args":{"task":7}},
        {"ph":"X","name":"net core packet 0","cat":"packet","pid":1,"tid":2,"ts":5.000,"dur":1.000,"args":{"packet":0,"bytes":100}},
        {"ph":"X","name":"IP packet 0","cat":"packet","pid":1,"tid":2,"ts":6.000,"dur":0.500,"args":{"packet":0,"bytes":100}},
        {"ph":"X","name":"re\"ader (user)","cat":"user","pid":1,"tid":2,"ts":7.000,"dur":1.000,"args":{"task":7}},
        {"ph":"X","name":"re\"ader (kernel)","cat":"kernel","pid":1,"tid":2,"ts":8.000,"dur":1.000,"args":{"task":7}},
        {"ph":"s","name":"packet","cat":"packet","id":0,"pid":1,"tid":1,"ts":2.001},
        {"ph":"t","name":"packet","cat":"packet","id":0,"pid":1,"tid":1,"ts":3.000,"bp":"e"},
        {"ph":"t","name":"packet","cat":"packet","id":0,"pid":1,"tid":2,"ts":5.000,"bp":"e"},
        {"ph":"f","name":"packet","cat":"packet","id":0,"pid":1,"tid":2,"ts":6.000,"bp":"e"},
        {"ph":"i","name":"drop: NO_SOCKET","cat":"drop","s":"t","pid":1,"tid":2,"ts":6.500,"args":{"packet":0}},
        {"ph":"C","name":"backlog CPU 1 (packets)","pid":2,"tid":0,"ts":3.000,"args":{"depth":1}},
        {"ph":"C","name":"backlog CPU 1 (packets)","pid":2,"tid":0,"ts":5.000,"args":{"depth":0}}
        ]}
    "#]].assert_eq(&text);
}

#[test]
fn recordings_are_what_the_format_says() {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
    for name in ["udp-fragments-loss", "several-connections"] {
        let opened = imported(&fs::read(traces.join(name).join("trace.txt.gz")).unwrap());
        let read = Read::of(&written(&opened));
        assert_eq!(read.named.len(), opened.run.cpus().len(), "{name}");
        let drops = opened
            .journeys
            .count(ringside::kernel::VerdictKind::Dropped);
        assert_eq!(
            read.phases.get(&'i').copied().unwrap_or(0) as usize,
            drops,
            "{name}"
        );
        assert!(!read.arrows.is_empty(), "{name}");
    }
}

#[test]
fn each_context_of_a_simulation_lasts_as_long_as_in_its_lanes() {
    let catalogue = Catalogue::shipped().unwrap();
    let shipped = catalogue.scenario("today-rps").unwrap();
    let scenario = shipped.scenario.clone();
    let run = simulate(&scenario, &catalogue, true).unwrap().run.unwrap();
    let opened = Opened::from(run);
    let text = written(&opened);
    let read = Read::of(&text);
    assert!(read.arrows.values().any(|steps| {
        let tracks: BTreeSet<Track> = steps.iter().map(|step| step.1).collect();
        tracks.len() > 1
    }));
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["otherData"]["origin"], "simulated");
    let lanes = &opened.replay.lanes;
    for lane in &lanes.lanes {
        let times = lanes.times(lane, lanes.start, lanes.end);
        for context in ringside::kernel::Context::ALL {
            let of_it = |event: &&Value| {
                event["cat"] == context.name() && event["tid"] == u64::from(lane.cpu.0) + 1
            };
            let events = file["traceEvents"].as_array().unwrap().iter();
            let sum: u64 = events
                .filter(of_it)
                .map(|event| nanos(event.as_object().unwrap(), "dur"))
                .sum();
            let is_drawn = *context != ringside::kernel::Context::Idle;
            let expected = if is_drawn {
                times[*context as usize]
            } else {
                0
            };
            assert_eq!(sum, expected, "CPU {} {context}", lane.cpu.0);
        }
    }
}
