//! Two runs packet by packet: a run is its own like, a fork is its parent up to what is done to it, and
//! what is different between runs with another setting, kernel or size is told where it begins.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use expect_test::expect_file;
use ringside::compare::abreast::{Abreast, PartingKind, Routes};
use ringside::english::say_of_file;
use ringside::kernel::PacketId;
use ringside::opened::Opened;
use serde_json::{Value, json};
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

use crate::recorded::recorded;

/// How many partings of a pair are pinned.
const SAID: usize = 5;

fn simulated(base: &str, change: &Value) -> Opened {
    let catalogue = Catalogue::shipped().unwrap();
    let shipped = &catalogue.scenario(base).unwrap().scenario;
    let mut scenario: Value = serde_json::from_str(&shipped.to_json()).unwrap();
    for (key, value) in change.as_object().unwrap() {
        match key.as_str() {
            "faults" | "seed" | "kernel" => scenario[key] = value.clone(),
            _ => scenario["settings"][key] = value.clone(),
        }
    }
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    Opened::from(simulate(&scenario, &catalogue, true).unwrap().run.unwrap())
}

fn abreast(first: &Opened, second: &Opened) -> Abreast {
    Abreast::of([Routes::of(first), Routes::of(second)])
}

fn picture(text: &mut String, what: &str, both: &Abreast) {
    let _ = writeln!(text, "{what}");
    let [first, second] = &both.likes;
    let found = first.iter().filter(|like| like.is_some()).count();
    let _ = writeln!(
        text,
        "  {found} packets of {} in A and {} in B",
        first.len(),
        second.len()
    );
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for parting in &both.partings {
        *kinds.entry(parting.kind.name()).or_default() += 1;
    }
    let _ = writeln!(text, "  {kinds:?}");
    for parting in both.first.iter().chain(both.partings.iter().take(SAID)) {
        let _ = writeln!(
            text,
            "  {} ns: {}",
            parting.at,
            say_of_file(&both.say(parting))
        );
    }
    let _ = writeln!(text);
}

/// Who is whose like is said by both.
fn are_mutual(both: &Abreast) -> bool {
    let [first, second] = &both.likes;
    let is_mutual = |here: &[PacketId], there: &[PacketId]| {
        let mut pairs = here.iter().enumerate().filter(|(_, like)| like.is_some());
        pairs.all(|(at, like)| there[like.at()].at() == at)
    };
    is_mutual(first, second) && is_mutual(second, first)
}

#[test]
fn a_run_is_its_own_like() {
    for run in [
        simulated("today-gro", &json!({})),
        recorded("udp-fragments-loss"),
    ] {
        let both = abreast(&run, &run);
        assert!(
            both.likes
                .iter()
                .all(|likes| { likes.iter().enumerate().all(|(at, like)| like.at() == at) })
        );
        assert_eq!((both.first, both.partings.len()), (None, 0));
    }
}

#[test]
fn a_fork_parts_at_what_is_done_to_it() {
    let parent = simulated("today-gro", &json!({}));
    for fault in [
        json!({"at_us": 3000, "do": "drop_frame"}),
        json!({"at_us": 3000, "do": "steal_cpu", "cpu": 0, "us": 200}),
    ] {
        let fork = simulated("today-gro", &json!({"faults": [fault]}));
        let both = abreast(&parent, &fork);
        let first = both.first.as_ref().unwrap();
        let at = first.at + parent.run.start().0 as i64;
        assert!((3_000_000..3_300_000).contains(&at), "{fault} {at}");
        assert!(both.partings.iter().all(|parting| parting.at >= first.at));
        assert!(are_mutual(&both));
    }
}

#[test]
fn a_frame_that_is_lost_comes_later() {
    let parent = simulated("today-gro", &json!({}));
    let fault = json!({"at_us": 3000, "do": "drop_frame"});
    let fork = simulated("today-gro", &json!({"faults": [fault]}));
    let both = abreast(&parent, &fork);
    let first = both.first.as_ref().unwrap();
    assert_eq!(first.kind, PartingKind::Time);
    assert_eq!(both.say(first).code, "abreast.later");
    let [Some(here), Some(there)] = first.packets else {
        panic!("it is sent again");
    };
    let seq = |run: &Opened, packet: PacketId| run.journeys.packets[packet.at()].seq;
    assert_eq!(seq(&parent, here), seq(&fork, there));
}

#[test]
fn where_runs_part_is_told() {
    let mut text = String::new();
    let pairs = [
        (
            "interrupts and processes bound",
            "ah-affinity-none",
            json!({"irq_affinity": "spread", "process_affinity": true}),
        ),
        ("another seed", "today-rps", json!({"seed": 7})),
        ("GRO off", "today-gro", json!({"gro": false})),
        (
            "XDP drops",
            "today-flood-socket",
            json!({"xdp": "drop", "xdp_port": 9}),
        ),
        (
            "a stolen CPU",
            "today-gro",
            json!({"faults": [{"at_us": 3000, "do": "steal_cpu", "cpu": 0, "us": 200}]}),
        ),
        (
            "a lost frame",
            "today-gro",
            json!({"faults": [{"at_us": 3000, "do": "drop_frame"}]}),
        ),
    ];
    for (what, base, change) in pairs {
        let both = abreast(&simulated(base, &json!({})), &simulated(base, &change));
        assert!(are_mutual(&both), "{what}");
        picture(&mut text, what, &both);
    }
    for (what, first, second) in [
        (
            "two recordings: GRO on and off",
            "tcp-gro-on",
            "tcp-gro-off",
        ),
        (
            "two recordings: one CPU and two",
            "tcp-same-cpu",
            "tcp-cross-cpu",
        ),
        (
            "two recordings: fragments, some lost",
            "udp-fragments",
            "udp-fragments-loss",
        ),
    ] {
        let both = abreast(&recorded(first), &recorded(second));
        assert!(are_mutual(&both), "{what}");
        picture(&mut text, what, &both);
    }
    let both = abreast(&simulated("today-gro", &json!({})), &recorded("tcp-gro-on"));
    picture(&mut text, "a simulation and a recording", &both);
    expect_file!["abreast.txt"].assert_eq(&text);
}
