//! What is exported and imported again is the same run.

use proptest::prelude::*;

use super::{ftrace, kperf2};
use crate::import::kperf::Kperf;
use crate::import::{Format, Import, Ledger, says};
use crate::kernel::{
    AddrId, Context, CpuId, DropReason, Event, Field, FieldKind, Nanos, Origin, Pid, Probe,
};
use crate::run::{Run, RunBuilder};

fn there_and_back(run: &Run) -> (Run, Ledger) {
    let mut text = Vec::new();
    kperf2(run, &mut text).expect("a vector takes any bytes");
    let mut kperf = Kperf::default();
    let mut builder = RunBuilder::new(Origin::Recorded);
    let mut ledger = Ledger::default();
    for (number, line) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
        kperf.line(number, line, &mut builder, &mut ledger);
    }
    (builder.finish(), ledger)
}

fn there_and_back_as_ftrace(run: &Run) -> (Run, Ledger) {
    let mut text = Vec::new();
    ftrace(run, &mut text).expect("a vector takes any bytes");
    let mut import = Import::new();
    import.push(&text);
    let imported = import.finish().expect("it is a trace");
    assert_eq!(imported.format, Format::Ftrace);
    (imported.run, imported.ledger)
}

/// Everything of a run but its line numbers and the order of interning, as text.
fn picture(run: &Run) -> Vec<String> {
    let event = |index| {
        let event = run.event(index);
        let address = |id: AddrId| run.addresses.value(id);
        let fields: Vec<String> = run
            .fields(index)
            .map(|(field, value)| match field.kind() {
                FieldKind::Name => {
                    format!("{field}={:?}", run.names.text(crate::kernel::NameId(value)))
                }
                FieldKind::Addr => format!("{field}={:x}", address(AddrId(value))),
                _ => format!("{field}={value}"),
            })
            .collect();
        format!(
            "{:?} {:?} {} {} {:?} {:x} {:x} {} {}",
            event.time,
            event.cpu,
            event.context,
            event.probe,
            event.pid,
            address(event.skb),
            address(event.sk),
            event.len,
            fields.join(" "),
        )
    };
    let mut lines: Vec<String> = run.indices().map(event).collect();
    lines.push(format!("{:?} {:?}", run.origin, run.metadata));
    lines.extend(
        run.comm
            .keys()
            .map(|&pid| format!("{pid:?} {:?}", run.comm(pid))),
    );
    lines
}

#[derive(Debug, Clone)]
enum Raw {
    Number(u32),
    Name(String),
    Address(u64),
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,6}",
        "[ -~]{0,8}",
        "\\PC{0,4}",
        Just("% %20\t\n\r".to_owned()),
        Just("%".to_owned()),
        Just("\u{a0}\u{2028}é".to_owned()),
    ]
}

fn field() -> impl Strategy<Value = (Field, Raw)> {
    prop::sample::select(Field::ALL).prop_flat_map(value)
}

fn value(field: Field) -> impl Strategy<Value = (Field, Raw)> {
    let value = match field.kind() {
        FieldKind::Name if matches!(field, Field::Saddrv6 | Field::Daddrv6) => {
            let address = any::<std::net::Ipv6Addr>().prop_map(|address| address.to_string());
            prop_oneof![text(), address].prop_map(Raw::Name).boxed()
        }
        FieldKind::Name => text().prop_map(Raw::Name).boxed(),
        FieldKind::Addr => prop_oneof![Just(0), any::<u64>()]
            .prop_map(Raw::Address)
            .boxed(),
        FieldKind::Reason => (0..DropReason::ALL.len() as u32 + 3)
            .prop_map(Raw::Number)
            .boxed(),
        FieldKind::Number | FieldKind::Signed | FieldKind::Hex | FieldKind::Ipv4 => {
            prop_oneof![0u32..10, 0u32..0x1_0000, any::<u32>()]
                .prop_map(Raw::Number)
                .boxed()
        }
    };
    (Just(field), value)
}

/// Events that ftrace has sentences or spellings of its own for, and what they hold.
const SPOKEN: [(Probe, &[Field]); 17] = [
    (Probe::IrqHandlerEntry, &[Field::Irq, Field::Name]),
    (Probe::IrqHandlerExit, &[Field::Irq, Field::Ret]),
    (Probe::SoftirqEntry, &[Field::Vec]),
    (
        Probe::SchedSwitch,
        &[
            Field::PrevPid,
            Field::PrevPrio,
            Field::PrevState,
            Field::NextPid,
            Field::NextPrio,
        ],
    ),
    (
        Probe::SchedWakeup,
        &[Field::TargetPid, Field::Prio, Field::TargetCpu],
    ),
    (
        Probe::SchedMigrateTask,
        &[Field::TargetPid, Field::OrigCpu, Field::DestCpu],
    ),
    (
        Probe::SchedProcessFork,
        &[Field::TargetPid, Field::ChildPid],
    ),
    (Probe::SchedProcessExec, &[Field::Name, Field::TargetPid]),
    (
        Probe::NapiPoll,
        &[Field::Napi, Field::Dev, Field::Work, Field::Budget],
    ),
    (
        Probe::SockRecvLength,
        &[Field::Ret, Field::Family, Field::Proto, Field::Flags],
    ),
    (
        Probe::IcmpSend,
        &[Field::Saddr, Field::Sport, Field::Daddr, Field::Dport],
    ),
    (Probe::TcpSendmsgLocked, &[Field::Size]),
    (Probe::SysEnter, &[Field::Func, Field::Fd, Field::Size]),
    (Probe::SysExit, &[Field::Func, Field::Ret]),
    (
        Probe::KfreeSkb,
        &[Field::Protocol, Field::Location, Field::Reason, Field::Name],
    ),
    (
        Probe::TcpProbe,
        &[Field::Saddr, Field::Sport, Field::SndNxt, Field::Payload],
    ),
    (
        Probe::UdpRcv,
        &[
            Field::FragOff,
            Field::Sport,
            Field::Dport,
            Field::Thread,
            Field::Packet,
        ],
    ),
];

/// Such an event, mostly with just what its sentence holds.
fn spoken_event() -> impl Strategy<Value = RawEvent> {
    let spoken = prop::sample::select(&SPOKEN[..]);
    spoken.prop_flat_map(|(probe, fields)| {
        let fields: Vec<_> = fields.iter().copied().map(value).collect();
        let kept = prop::collection::vec(prop::bool::weighted(0.9), fields.len());
        let more = prop_oneof![
            4 => Just(Vec::new()),
            1 => prop::collection::vec(field(), 1..2),
        ];
        (event(), fields, kept, more).prop_map(
            move |((mut event, mut skb, mut sk, _), fields, kept, more)| {
                event.probe = probe;
                if event.time.0 % 2 == 0 {
                    (skb, sk, event.len) = (0, 0, Event::NO_LEN);
                    event.context = Context::Softirq;
                }
                let kept = fields.into_iter().zip(kept).filter(|(_, is_kept)| *is_kept);
                let fields = kept.map(|(field, _)| field).chain(more).collect();
                (event, skb, sk, fields)
            },
        )
    })
}

type RawEvent = (Event, u64, u64, Vec<(Field, Raw)>);

fn event() -> impl Strategy<Value = RawEvent> {
    let probe = prop_oneof![
        prop::sample::select(Probe::ALL),
        prop::sample::select(&Probe::KPERF[..])
    ];
    let time = prop_oneof![0u64..4, 0..=i64::MAX.cast_unsigned()];
    let who = (
        any::<u16>(),
        prop_oneof![0u32..3, Just(u32::MAX)],
        prop::sample::select(Context::ALL),
    );
    let address = || prop_oneof![Just(0), any::<u64>()];
    let what = (
        address(),
        address(),
        prop_oneof![0u32..3, any::<u32>()],
        any::<bool>(),
    );
    let fields = prop::collection::vec(field(), 0..5);
    (probe, time, who, what, fields).prop_map(
        |(probe, time, (cpu, pid, context), (skb, sk, len, is_packet), mut fields)| {
            if is_packet {
                let leading = [Field::Packet, Field::Thread, Field::Frames];
                fields.splice(0..0, leading.map(|field| (field, Raw::Number(len))));
            }
            let event = Event {
                cpu: CpuId(cpu),
                context,
                pid: Pid(pid),
                len,
                ..Event::new(Nanos(time), probe)
            };
            (event, skb, sk, fields)
        },
    )
}

fn build(
    origin: Origin,
    events: &[RawEvent],
    metadata: &[(String, String)],
    comm: &[(u32, String)],
) -> Run {
    let mut builder = RunBuilder::new(origin);
    for (event, skb, sk, fields) in events {
        let (skb, sk) = (builder.address(*skb), builder.address(*sk));
        builder.push(Event { skb, sk, ..*event });
        for (field, value) in fields {
            let value = match value {
                Raw::Number(number) => *number,
                Raw::Name(name) => builder.name(name).0,
                Raw::Address(address) => builder.address(*address).0,
            };
            builder.field(*field, value);
        }
    }
    for (key, value) in metadata {
        builder.metadata(key, value);
    }
    for (pid, name) in comm {
        builder.comm(Pid(*pid), name);
    }
    builder.finish()
}

/// A reason that the kernel may name one day, a number, and what no kernel names.
#[test]
fn a_reason_of_any_spelling_survives_export_as_ftrace() {
    for name in [
        "A_NEW_ONE",
        "0x10003",
        "TWO WORDS",
        "QUOTED`",
        "-",
        "SKB_DROP_REASON_X",
    ] {
        let mut builder = RunBuilder::new(Origin::Recorded);
        builder.push(Event::new(Nanos(1_000_000_000), Probe::KfreeSkb));
        builder.field(Field::Reason, DropReason::Unrecognised as u32);
        let name = builder.name(name).0;
        builder.field(Field::Name, name);
        let run = builder.finish();
        let (again, ledger) = there_and_back_as_ftrace(&run);
        assert_eq!(picture(&run), picture(&again));
        assert_eq!(ledger.warnings, []);
    }
}

proptest! {
    #[test]
    fn a_run_survives_export_and_import(
        is_simulated in any::<bool>(),
        events in prop::collection::vec(prop_oneof![event(), spoken_event()], 0..12),
        metadata in prop::collection::vec((text(), text()), 0..4),
        comm in prop::collection::vec((any::<u32>(), text()), 0..3),
    ) {
        let origin = if is_simulated { Origin::Simulated } else { Origin::Recorded };
        let mut metadata = metadata;
        metadata.push(("origin".to_owned(), "a lab".to_owned()));
        let run = build(origin, &events, &metadata, &comm);
        let (again, ledger) = there_and_back(&run);
        prop_assert_eq!(picture(&run), picture(&again));
        prop_assert_eq!(run.fingerprint(), again.fingerprint());
        prop_assert_eq!(&ledger.malformed_kept, &vec![]);
        prop_assert_eq!(ledger.unknown_lines() + ledger.skipped_lines(), 0);
        prop_assert_eq!(ledger.warnings, vec![]);

        let (again, ledger) = there_and_back_as_ftrace(&run);
        prop_assert_eq!(picture(&run), picture(&again));
        prop_assert_eq!(run.fingerprint(), again.fingerprint());
        prop_assert_eq!(&ledger.malformed_kept, &vec![]);
        prop_assert_eq!(ledger.unknown_lines() + ledger.skipped_lines(), 0);
        // Times may lie as far apart as any clock goes.
        let far_apart = says::far_apart(run.end().since(run.start()));
        prop_assert!(run.is_empty() || ledger.warnings.iter().all(|told| *told == far_apart));
    }
}
