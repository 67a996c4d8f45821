//! Loads are run on this host: each ends, with what was done or with the error of the thread that failed.

use std::collections::BTreeSet;
use std::sync::mpsc;

use super::*;
use crate::cpus::allowed;
use crate::loads::{Does, all};

/// The first and the last CPU, if there are two, and one window of a connection.
fn here() -> Place {
    let cpus = allowed().unwrap();
    let (first, last) = (cpus[0], cpus[cpus.len() - 1]);
    Place {
        first,
        second: (first != last).then_some(last),
        onlooker: None,
        line_ns: None,
        windows: 1,
    }
}

/// Runs a load; fails if it has not ended after a minute.
fn ended(load: Load, place: Place) -> io::Result<Done> {
    let (sender, done) = mpsc::channel();
    thread::spawn(move || sender.send(run(&load, &place, 1)));
    let done = done.recv_timeout(Duration::from_mins(1));
    done.unwrap_or_else(|_| panic!("{} has not ended", load.name))
}

#[test]
fn each_kind_of_load_does_something_and_ends() {
    let place = here();
    let cpus = if place.second.is_some() { 2 } else { 1 };
    let mut seen = BTreeSet::new();
    for load in all().filter(|load| load.mtu.is_none() && load.cpus <= cpus) {
        let buffers = (load.receive_buffer.is_some(), load.send_buffer.is_some());
        let several = (load.connections > 1, load.hogs > 0);
        let shown = [
            format!("{:?}", load.does),
            format!("{:?}", load.ends),
            format!("buffers {buffers:?}"),
            format!("several {several:?}"),
        ];
        // Of a load that shows nothing new there was one before.
        let is_new = shown.map(|what| seen.insert(what)).contains(&true);
        if !is_new {
            continue;
        }
        let done = ended(*load, place).unwrap();
        assert!(done.done > 0, "{}: {done:?}", load.name);
    }
}

#[test]
fn a_load_of_which_a_thread_fails_ends_with_its_error() {
    let place = here();
    // No thread can be bound to the last CPU that the kernel has a number for.
    let none = rustix::thread::CpuSet::MAX_CPU - 1;
    let mut patterns: Vec<Load> = all().copied().collect();
    patterns.sort_by_key(|load| load.does as u8);
    patterns.dedup_by_key(|load| load.does as u8);
    for pattern in patterns {
        let load = Load {
            connections: 1,
            cpus: 2,
            ends: Ends::Apart,
            ..pattern
        };
        for (first, second) in [(place.first, none), (none, place.first)] {
            let place = Place {
                first,
                second: Some(second),
                ..place
            };
            let error = ended(load, place).unwrap_err().to_string();
            let why = format!("cannot bind a thread to CPU {none}: ");
            assert!(error.starts_with(&why), "{:?}: {error}", load.does);
        }
    }
}

#[test]
fn a_datagram_that_is_lost_ends_the_load() {
    let burst = all().find(|load| load.does == Does::DatagramBurst && load.cpus == 1);
    // Too small for eight datagrams of 8 KiB.
    let load = Load {
        message_bytes: 8192,
        receive_buffer: Some(8192),
        ..*burst.unwrap()
    };
    let error = ended(load, here()).unwrap_err().to_string();
    assert_eq!(error, "a datagram was lost, and both ends waited for one");
}

#[test]
fn one_cpu_has_no_place_for_a_load_on_two() {
    let load = all().find(|load| load.cpus == 2).unwrap();
    let place = Place {
        second: None,
        ..here()
    };
    let error = ended(*load, place).unwrap_err().to_string();
    assert_eq!(error, "there are too few CPUs here");
}

#[test]
fn a_load_is_on_as_many_cpus_as_it_says() {
    for load in all() {
        let mut cpus = Vec::new();
        for connection in 0..load.connections {
            let (client, server) = load.places(connection, (3, 5));
            cpus.extend([client, server]);
        }
        cpus.sort_unstable();
        cpus.dedup();
        assert_eq!(cpus.len(), usize::from(load.cpus), "{}", load.name);
    }
}
