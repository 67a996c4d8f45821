//! With tracepoints alone it is inferred who read a datagram. Of sockets and tasks that do anything it is counted here how
//! often what is told was not so, and how often nothing is told of a datagram that was read: whoever changes the rules of
//! inference sees what they win and lose beyond the recordings that the other tests have.

mod host;

use std::fmt::{self, Write as _};

use expect_test::expect;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::few_events::opened;
use crate::journey::Journeys;
use crate::kernel::{EventIdx, Pid, Probe, Verdict};
use crate::run::Run;
use host::{End, Host};

/// CPUs of a host.
const CPUS: usize = 3;

/// A task and what it reads.
#[derive(Debug, Clone)]
struct Reader {
    /// One socket in a blocking call, or several with `poll(2)` and calls that do not wait.
    sockets: Vec<usize>,
    cpu: usize,
    /// Bytes of its buffer.
    room: u32,
}

/// A task that sends.
#[derive(Debug, Clone)]
struct Sender {
    /// The socket that its own is connected to; else each datagram is sent to any.
    peer: Option<usize>,
    cpu: usize,
}

#[derive(Debug, Clone)]
enum Step {
    /// A sender sends a datagram of so many bytes of payload.
    Send {
        sender: usize,
        socket: usize,
        bytes: u32,
    },
    /// A reader that is awake goes on to its next step.
    Go { reader: usize },
}

/// A host and what its tasks do.
#[derive(Debug, Clone)]
struct Load {
    /// The address family of each socket that receives. One of `AF_INET6` serves IPv4 too, as all packets here are.
    sockets: Vec<Family>,
    readers: Vec<Reader>,
    senders: Vec<Sender>,
    steps: Vec<Step>,
    /// A call that took a datagram may return after one that took another later, on another CPU.
    may_return_late: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Inet,
    Inet6,
}

/// What may be in a load.
#[derive(Debug, Clone, Copy)]
struct Kind {
    /// Sockets at most.
    sockets: usize,
    /// Readers beside the one of each socket, at most.
    others: usize,
    /// Some sockets may have no reader.
    is_unread: bool,
    /// Bytes of the readers' buffers.
    rooms: &'static [u32],
    /// Calls may return in another order than that in which they took.
    may_return_late: bool,
    /// The recording may begin behind the first steps.
    is_middle: bool,
    /// Datagrams that are sent before anybody reads.
    burst: usize,
}

const WHOLE: Kind = Kind {
    sockets: 3,
    others: 2,
    is_unread: false,
    rooms: &[2000],
    may_return_late: false,
    is_middle: true,
    burst: 0,
};

const CUT: Kind = Kind {
    sockets: 1,
    others: 0,
    rooms: &[64, 80, 100],
    is_middle: false,
    ..WHOLE
};

/// A load, and how many of its lines the recording does not have.
fn loads(kind: Kind) -> impl Strategy<Value = (Load, usize)> {
    let least = if kind.is_unread { 0 } else { kind.sockets };
    let sizes = (
        1..=kind.sockets,
        least..=kind.sockets,
        0..=kind.others,
        1..4_usize,
    );
    sizes.prop_flat_map(move |(sockets, read, others, senders)| {
        let read = read.clamp(1, sockets);
        let family = prop::sample::select(vec![Family::Inet, Family::Inet, Family::Inet6]);
        let room = prop::sample::select(kind.rooms);
        let reader = (0..read, prop::option::of(0..read), 0..CPUS, room);
        let sender = (prop::option::of(0..sockets), 0..CPUS);
        let sender = sender.prop_map(|(peer, cpu)| Sender { peer, cpu });
        let bytes = prop::sample::select(vec![64_u32, 64, 100]);
        let send = (0..senders, 0..sockets, bytes);
        let send = send.prop_map(|(sender, socket, bytes)| Step::Send {
            sender,
            socket,
            bytes,
        });
        let burst = prop::collection::vec(send.clone(), kind.burst);
        let go = (0..read + others).prop_map(|reader| Step::Go { reader });
        let step = (1..8_u32).prop_flat_map(move |often| {
            prop::collection::vec(
                prop_oneof![2 => send.clone(), often * 2 => go.clone()],
                1..150 + 8 * kind.burst,
            )
        });
        let step = match kind.burst {
            0 => step.boxed(),
            _ => (burst, step)
                .prop_map(|(burst, steps)| [burst, steps].concat())
                .boxed(),
        };
        let cut: usize = if kind.is_middle { 300 } else { 0 };
        (
            prop::collection::vec(family, sockets),
            prop::collection::vec(reader, read + others),
            prop::collection::vec(sender, senders),
            step,
            0..=cut,
        )
            .prop_map(move |(families, readers, senders, steps, cut)| {
                let readers = readers.into_iter().enumerate();
                let readers = readers.map(|(at, (first, second, cpu, room))| {
                    let first = if at < read { at } else { first };
                    let second = second.filter(|&it| it != first && kind.others > 0);
                    Reader {
                        sockets: std::iter::once(first).chain(second).collect(),
                        cpu,
                        room,
                    }
                });
                let load = Load {
                    sockets: families,
                    readers: readers.collect(),
                    senders,
                    steps,
                    may_return_late: kind.may_return_late,
                };
                (load, cut)
            })
    })
}

/// What is told of the datagrams of some loads.
#[derive(Debug, Default)]
struct Told {
    /// Datagrams whose read returned, and those of them of which nothing is told.
    read: usize,
    open: usize,
    /// Datagrams that are told to be read by one of their reader's calls, and it is not known which.
    some_call: usize,
    /// Datagrams of which something else is told than what was so.
    untrue: usize,
    /// Of those, they that are told to have another reader, or one at all.
    of_other: usize,
}

impl Told {
    /// Compares what is told of a load's datagrams, from a line on, with what was so.
    fn add(&mut self, host: &Host<'_>, from: usize) {
        let (before, text) = host.split_at(from);
        if !text.contains(" sk_data_ready: ") {
            return;
        }
        let (run, journeys) = opened(text);
        let ready = of(&run, Probe::SkDataReady);
        let calls = of(&run, Probe::SockRecvLength);
        let earlier_calls = before.matches(" sock_recv_length: ").count();
        let ends = host.ends().skip(before.matches(" sk_data_ready: ").count());
        let call = |call: usize| calls[call - earlier_calls];
        for (end, ready) in ends.zip(ready) {
            let (verdict, is_some_call) = verdict_of(&journeys, ready);
            let is_read = matches!(end, End::Read { .. });
            self.read += usize::from(is_read);
            self.open += usize::from(is_read && verdict == Verdict::Open);
            let is_so = match (verdict, end) {
                (Verdict::Open, _)
                | (
                    Verdict::Delivered {
                        pid: Pid::UNKNOWN, ..
                    },
                    End::Read { .. },
                ) => true,
                (Verdict::Delivered { pid, read }, End::Read { pid: by, call: at }) => {
                    self.some_call += usize::from(is_some_call);
                    pid == Pid(by) && (is_some_call || read == call(at))
                }
                _ => false,
            };
            if !is_so {
                let is_reader = |pid| matches!(end, End::Read { pid: by, .. } if pid == Pid(by));
                let is_readers =
                    matches!(verdict, Verdict::Delivered { pid, .. } if is_reader(pid));
                self.untrue += 1;
                self.of_other += usize::from(!is_readers);
            }
        }
    }
}

impl fmt::Display for Told {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            read,
            open,
            some_call,
            untrue,
            of_other,
        } = self;
        write!(
            out,
            "{untrue} untrue ({of_other} of the reader), {open} of {read} open, {some_call} by some call"
        )
    }
}

fn of(run: &Run, probe: Probe) -> Vec<EventIdx> {
    let events = run.indices().filter(|at| run.probe[at.at()] == probe);
    events.collect()
}

/// The verdict of the packet that came to its socket at this event, and whether it is unknown which call read it; open
/// where no packet is known to have.
fn verdict_of(journeys: &Journeys, ready: EventIdx) -> (Verdict, bool) {
    let packets = journeys.packets.iter().zip(journeys.ids());
    let mut its = packets.filter(|&(_, id)| journeys.events(id).contains(&ready));
    its.next().map_or((Verdict::Open, false), |(packet, id)| {
        (packet.verdict, journeys.is_call_unknown(id))
    })
}

/// What is told of so many loads of a kind, the same each time.
fn told_of(kind: Kind, count: usize) -> String {
    let mut runner = TestRunner::deterministic();
    let mut told = Told::default();
    for _ in 0..count {
        let tree = loads(kind)
            .new_tree(&mut runner)
            .expect("loads are not filtered");
        let (load, from) = tree.current();
        told.add(&Host::of(&load), from);
    }
    told.to_string()
}

#[test]
fn it_is_counted_what_is_told_and_what_is_left_open() {
    let kinds = [
        (
            "from the beginning",
            Kind {
                is_middle: false,
                ..WHOLE
            },
        ),
        ("from the middle", WHOLE),
        ("little room", CUT),
        (
            "some read by nobody",
            Kind {
                is_unread: true,
                is_middle: false,
                ..WHOLE
            },
        ),
        ("little room at several sockets", Kind { sockets: 3, ..CUT }),
        (
            "late returns",
            Kind {
                may_return_late: true,
                is_middle: false,
                ..WHOLE
            },
        ),
    ];
    let mut told = String::new();
    for (name, kind) in kinds {
        let _ = writeln!(told, "{name}: {}", told_of(kind, 100));
    }
    expect![[r#"
        from the beginning: 9 untrue (7 of the reader), 3 of 1361 open, 3 by some call
        from the middle: 75 untrue (74 of the reader), 19 of 756 open, 5 by some call
        little room: 98 untrue (37 of the reader), 24 of 1203 open, 9 by some call
        some read by nobody: 7 untrue (5 of the reader), 4 of 1274 open, 3 by some call
        little room at several sockets: 34 untrue (16 of the reader), 6 of 1184 open, 4 by some call
        late returns: 75 untrue (74 of the reader), 16 of 1259 open, 5 by some call
    "#]]
    .assert_eq(&told);
}

/// Several sockets' buffers hold many datagrams alike when they are read: as many as are looked at, and more.
#[test]
fn what_is_read_of_full_buffers_is_counted() {
    let kind = Kind {
        is_middle: false,
        ..WHOLE
    };
    let mut told = String::new();
    for (burst, count) in [(150, 20), (1500, 2)] {
        let _ = writeln!(told, "{burst}: {}", told_of(Kind { burst, ..kind }, count));
    }
    expect![[r#"
        150: 157 untrue (110 of the reader), 22 of 3992 open, 3 by some call
        1500: 1 untrue (1 of the reader), 13 of 4698 open, 66 by some call
    "#]]
    .assert_eq(&told);
}
