//! The builder's promises: order, stability, fields that stay with their event.

use proptest::prelude::*;

use super::*;

fn build(times: &[u64]) -> Run {
    let mut builder = RunBuilder::new(Origin::Recorded);
    for (line, &time) in times.iter().enumerate() {
        builder.push(Event {
            line: line as u32 + 1,
            ..Event::new(Nanos(time), Probe::NetifReceiveSkb)
        });
        for number in 0..line as u32 % 3 {
            builder.field(Field::Packet, line as u32 * 10 + number);
        }
    }
    builder.finish()
}

proptest! {
    #[test]
    fn a_run_is_sorted_stably_and_fields_stay_with_their_event(times in prop::collection::vec(0u64..20, 0..60)) {
        let run = build(&times);
        prop_assert_eq!(run.len(), times.len());
        let places: Vec<_> = run.indices().map(|index| (run.time(index), run.line(index))).collect();
        let steps = |is_one: fn(u64, u64) -> bool| times.windows(2).filter(|pair| is_one(pair[0], pair[1])).count();
        let (back, forth) = (steps(|one, next| next < one), steps(|one, next| one < next));
        // Written from its end to its start, it is read the other way round.
        let is_turned = back > 10 * forth;
        let is_next = |one: u32, next: u32| if is_turned { next < one } else { one < next };
        prop_assert!(places.is_sorted_by(|one, next| one.0 < next.0 || one.0 == next.0 && is_next(one.1, next.1)));
        for index in run.indices() {
            let pushed_at = run.line(index) - 1;
            let expected: Vec<_> = (0..pushed_at % 3).map(|n| (Field::Packet, pushed_at * 10 + n)).collect();
            prop_assert_eq!(run.fields(index).collect::<Vec<_>>(), expected);
            prop_assert_eq!(run.time(index).0, times[pushed_at as usize]);
        }
    }
}

#[test]
fn a_null_pointer_is_no_address_and_an_address_is_one_number() {
    let mut builder = RunBuilder::new(Origin::Recorded);
    assert_eq!(builder.address(0), AddrId::NONE);
    let first = builder.address(0xffff_8880_0903_2e00);
    let other = builder.address(0xffff_8880_0903_2500);
    assert_ne!(first, other);
    assert_eq!(builder.address(0xffff_8880_0903_2e00), first);
    assert_eq!(
        builder.finish().addresses.value(other),
        0xffff_8880_0903_2500
    );
}

#[test]
fn the_fingerprint_tells_runs_apart() {
    assert_eq!(
        build(&[1, 2, 3]).fingerprint(),
        build(&[1, 2, 3]).fingerprint()
    );
    assert_ne!(
        build(&[1, 2, 3]).fingerprint(),
        build(&[1, 2, 4]).fingerprint()
    );
}

/// What a terminal would obey, and what would turn the writing of a page around.
#[test]
fn names_do_nothing_where_they_are_shown() {
    let mut builder = RunBuilder::new(Origin::Recorded);
    let names = [
        ("eth0", "eth0"),
        ("größe→", "größe→"),
        ("a\u{1b}[31mb\u{7}", "a\u{fffd}[31mb\u{fffd}"),
        ("\u{202e}evil\u{2066}", "\u{fffd}evil\u{fffd}"),
        (
            "a\u{2028}\u{200f}\u{9b}\u{7f}",
            "a\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
        ),
        (
            "b\u{200b}\u{ad}\u{feff}\u{e0041}",
            "b\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
        ),
    ];
    let ids = names.map(|(name, harmless)| {
        let id = builder.name(name);
        assert_eq!(builder.name(name), id, "the same again");
        assert_eq!(builder.name(harmless), id);
        id
    });
    builder.metadata("command", "ls\u{1b}[2J");
    let run = builder.finish();
    for ((_, harmless), id) in names.iter().zip(ids) {
        assert_eq!(run.names.text(id), *harmless);
    }
    assert_eq!(run.metadata["command"], "ls\u{fffd}[2J");
}
