//! What a scenario says reaches the world, and what cannot be is refused by the field that says it.

use serde_json::{Value, json};

use super::testing::{World, task};
use super::*;
use crate::config::controls::{Allowed, Setting};
use crate::config::settings::SETTINGS;
use crate::engine::ids::{Device, Id as _, NicId, QueueId};

fn linked(settings: Value) -> World {
    World {
        is_linked: true,
        settings,
        ..World::default()
    }
}

/// The field with which an error begins.
fn refused(world: &World) -> String {
    let error = world.build().unwrap_err();
    let end = error.find([' ', ':']);
    error[..end.unwrap()].to_owned()
}

fn nic(index: usize) -> NicId {
    NicId::from_index(index)
}

#[test]
fn the_watched_host_has_the_cpus_and_nics_of_the_scenario_and_the_other_its_own() {
    let engine = linked(json!({ "cpus": 3, "nics": 2 })).engine();
    let counts: Vec<_> = engine
        .core
        .hosts
        .iter()
        .map(|host| host.cpu_count)
        .collect();
    assert_eq!(counts, [3, 8]);
    assert_eq!(engine.core.hosts[1].first_cpu, 3);
    let nics: Vec<_> = engine
        .net
        .stacks
        .iter()
        .map(|stack| stack.nics.len())
        .collect();
    assert_eq!(nics, [2, 8]);
}

#[test]
fn a_ring_has_a_buffer_in_each_descriptor_that_the_scenario_gives_it() {
    let engine = linked(json!({ "nics": 1, "rx_ring": 17 })).engine();
    let ring = &engine.net.stacks[0].queues[QueueId::from_index(0)].ring;
    assert_eq!((ring.limit, ring.free(), ring.empty()), (17, 17, 0));
    let other = &engine.net.stacks[1].queues[QueueId::from_index(0)].ring;
    assert_eq!(other.limit, 4096, "the other host's is its machine's");
}

#[test]
fn a_link_is_as_fast_as_its_slower_end_unless_the_scenario_says_so() {
    let slower = |settings| World {
        change: |machine| machine.nics[0].rate_mbit = 100,
        machine: "piii-500-4way",
        settings,
        ..linked(json!({}))
    };
    let byte = |settings| {
        let engine = slower(settings).engine();
        [0, 1].map(|host: usize| engine.net.stacks[host].nics[nic(0)].byte_fs)
    };
    let fs = |ns: u64| SimTime::from_ns(ns).0;
    assert_eq!(byte(json!({ "peer": "load-generator" })), [fs(80); 2]);
    let set = json!({ "peer": "load-generator", "link_mbit": 1000 });
    assert_eq!(byte(set), [fs(8); 2]);
}

#[test]
fn each_nic_has_its_peer_and_the_ends_of_a_connection_are_on_one_link() {
    // Six NICs and four at the other end.
    let devices = |watch, connection| {
        let settings = json!({ "nics": 6, "peer": "piii-500-4way", "watch": watch });
        let net = linked(settings).engine().net;
        let (client, server) = net.devices_of(connection);
        let peer = net.stacks[0].nics[nic(connection as usize % 6)].peer;
        assert_eq!(peer, (1, nic(connection as usize % 6 % 4)));
        (client, server)
    };
    let [one, five] = [1, 5].map(|index| Device::Nic(nic(index)));
    assert_eq!(
        devices("receiver", 5),
        (one, five),
        "the watched host serves"
    );
    assert_eq!(devices("sender", 5), (five, one), "it sends now");
    assert_eq!(devices("sender", 7), (one, one), "they are used in turn");
}

#[test]
fn hyper_threads_come_behind_all_cores_and_share_their_caches() {
    let world = |hyper_threading| World {
        machine: "current-server",
        settings: json!({ "cpus": 2, "hyper_threading": hyper_threading }),
        ..World::default()
    };
    let of = |hyper_threading| {
        let engine = world(hyper_threading).engine();
        let cpus = engine.core.cpus.iter();
        cpus.map(|cpu| (cpu.cache, cpu.sibling)).collect::<Vec<_>>()
    };
    assert_eq!(of(true), [(0, 2), (1, 3), (0, 0), (1, 1)]);
    assert_eq!(of(false), [(0, 0), (1, 1)], "each is its own sibling");
}

#[test]
fn buffers_that_a_scenario_sets_are_set_on_both_hosts_and_do_not_grow() {
    let world = |settings| World {
        kernel: "6.1",
        ..linked(settings)
    };
    let free = world(json!({})).engine();
    assert!(free.net.stacks[0].tcp.parameters.send_buffer_most_bytes > 0);
    let set = json!({ "send_buffer_bytes": 50_000, "receive_buffer_bytes": 60_000 });
    let engine = world(set).engine();
    for stack in &engine.net.stacks {
        let tcp = &stack.tcp.parameters;
        assert_eq!(tcp.send_buffer_bytes, 100_000);
        assert_eq!(tcp.receive_buffer_bytes, 120_000);
        assert_eq!(stack.datagram_receive_buffer, 120_000);
        assert_eq!(
            (tcp.send_buffer_most_bytes, tcp.receive_buffer_most_bytes),
            (0, 0)
        );
    }
}

#[test]
fn interrupts_are_pinned_to_the_cpu_that_is_named_all_or_one_queues() {
    let cpus = |settings| {
        let engine = linked(settings).engine();
        let queues = engine.net.stacks[0].queues.iter();
        queues.map(|queue| queue.cpu).collect::<Vec<_>>()
    };
    assert_eq!(cpus(json!({ "nics": 4 })), [0, 1, 2, 3]);
    let all = json!({ "nics": 4, "irq_affinity": "cpu2" });
    assert_eq!(cpus(all), [2, 2, 2, 2]);
    let one = json!({ "nics": 4, "irq_affinity": "cpu2", "irq_queue": 3 });
    assert_eq!(cpus(one), [0, 1, 2, 2]);
}

#[test]
fn each_cpu_has_a_ksoftirqd_that_never_leaves_it() {
    let mut engine = World {
        settings: json!({ "cpus": 4, "background_hogs": 4 }),
        ..World::default()
    }
    .engine();
    // Longer than a hog's slice, behind which a task of nice 19 has its first turn.
    super::testing::run(&mut engine, 300_000);
    for cpu in 0..4 {
        let daemon = engine.core.cpus[cpu].softirq.daemon.unwrap();
        engine.core.time_to_wake(daemon);
        assert_eq!(engine.core.tasks[daemon].cpu, cpu);
    }
    let hogs = engine.core.tasks.iter();
    let hogs = hogs.filter(|task| engine.programs.scripts[task.script].name == "hog");
    assert!(
        hogs.clone().all(|hog| hog.cpu_fs > 0),
        "all of them compute"
    );
    assert_eq!(hogs.count(), 4);
}

#[test]
fn ksoftirqd_sleeps_until_softirqs_are_left_to_it() {
    for kernel in ["2.4.17", "2.6.3", "6.1", "6.18"] {
        let mut engine = World {
            kernel,
            settings: json!({ "cpus": 1, "background_hogs": 1 }),
            ..World::default()
        }
        .engine();
        super::testing::run(&mut engine, 300_000);
        let daemon = engine.core.cpus[0].softirq.daemon.unwrap();
        assert_eq!(engine.core.tasks[daemon].switches, 0, "{kernel}");
        engine.core.time_to_wake(daemon);
        super::testing::run(&mut engine, 900_000);
        assert!(engine.core.tasks[daemon].switches > 0, "{kernel}");
    }
}

#[test]
fn a_role_has_a_task_for_each_of_what_it_is_per() {
    let of = |per: &str| {
        let engine = World {
            roles: json!([{ "name": "one", "side": "server", "per": per, "count": 2 }]),
            settings: json!({ "connections": 3, "threads": 5 }),
            ..World::default()
        }
        .engine();
        let own = engine.core.tasks.iter().filter(|task| task.script == 0);
        own.count()
    };
    assert_eq!(of("connection"), 2 * 3);
    assert_eq!(of("further_connection"), 2 * 2);
    assert_eq!(of("thread"), 2 * 5 * 3);
    assert_eq!(of("host"), 2);
    assert_eq!(of("host_thread"), 2 * 5);
    assert_eq!(of("idle_port"), 5 - 3);
}

#[test]
fn tasks_that_begin_one_after_the_other_are_spread_evenly() {
    let engine = World {
        roles: json!([{ "name": "one", "side": "client", "per": "connection", "spread_us": 100 }]),
        settings: json!({ "connections": 4 }),
        ..World::default()
    }
    .engine();
    let begins = [0, 1, 2, 3].map(|index| engine.core.tasks[task(index)].begins.map(SimTime::us));
    assert_eq!(begins, [0, 25, 50, 75].map(Some));
}

#[test]
fn a_connection_that_stands_from_the_start_is_established_at_both_ends() {
    use crate::tcp::State;
    let engine = linked(json!({ "connections": 2 })).engine();
    for pair in 0..2 {
        let [client, server] = [0, 1].map(|end| super::testing::sock(2 * pair + end));
        for (one, other) in [(client, server), (server, client)] {
            assert_eq!(engine.net.sockets[one].tcb.state(), State::Established);
            assert_eq!(engine.core.socks[one].peer, Some(other));
            assert_eq!(engine.core.socks[one].flow, engine.core.socks[client].flow);
        }
        assert_eq!(engine.core.socks[client].host, 1);
        assert_eq!(engine.core.socks[server].host, 0);
    }
}

#[test]
fn a_setting_that_would_change_nothing_is_refused_by_its_name() {
    let here = |settings| World {
        settings,
        ..World::default()
    };
    for Setting { name, allowed, .. } in SETTINGS.iter().filter(|it| !it.needs.is_empty()) {
        let value = match allowed {
            Allowed::Range(_, most) => json!(most),
            Allowed::Words(words) => json!(words[0]),
            Allowed::Flag => json!(true),
            other => unreachable!("{name} is {other:?}"),
        };
        let old = json!({ *name: value });
        assert_eq!(refused(&linked(old)), format!("settings.{name}"));
    }
    let apart = json!({ "xdp_port": 9 });
    assert_eq!(refused(&linked(apart)), "settings.xdp");
    let nobody = json!({ "offered_per_s": 1000 });
    assert_eq!(refused(&here(nobody)), "settings.offered_per_s");
    let unknown = json!({ "tcp_ecn": "asks" });
    assert_eq!(refused(&linked(unknown)), "settings.tcp_ecn");
    let unmarked = json!({ "ce_threshold_us": 1000 });
    assert_eq!(refused(&linked(unmarked)), "settings.ce_threshold_us");
    let local = json!({ "rx_ring": 8 });
    assert_eq!(refused(&here(local)), "settings.rx_ring");
}

#[test]
fn what_a_machine_does_not_have_is_refused_by_the_field_that_asks_for_it() {
    let beyond = json!({ "cpus": 2, "irq_affinity": "cpu2" });
    assert_eq!(refused(&linked(beyond)), "settings.irq_affinity");
    let nowhere = json!({ "irq_queue": 1 });
    assert_eq!(refused(&linked(nowhere)), "settings.irq_queue");
    let no_queue = json!({ "nics": 1, "irq_affinity": "cpu0", "irq_queue": 1 });
    assert_eq!(refused(&linked(no_queue)), "settings.irq_queue");
    let sums = World {
        machine: "piii-500-4way",
        ..linked(json!({ "checksum": "nic" }))
    };
    assert_eq!(refused(&sums), "settings.checksum");
    let bare = World {
        change: |machine| machine.nics.clear(),
        ..linked(json!({ "peer": "piii-500-4way" }))
    };
    assert_eq!(refused(&bare), "machine");
    let alone = World {
        machine: "current-server",
        kernel: "6.1",
        is_udp: true,
        ..linked(json!({ "xdp": "redirect", "nics": 1 }))
    };
    assert_eq!(refused(&alone), "settings.xdp");
}

#[test]
fn a_congestion_control_is_one_of_those_that_the_kernel_has() {
    let with = |kernel, chosen: &str| World {
        kernel,
        settings: json!({ "tcp_congestion_control": chosen }),
        ..World::default()
    };
    let socket = super::testing::sock(0);
    let of = |world: &World| {
        let engine = world.engine();
        engine.net.sockets[socket].tcb.congestion_control()
    };
    assert_eq!(of(&with("6.1", "reno")), "reno");
    let own = World {
        kernel: "6.1",
        ..World::default()
    };
    assert_eq!(of(&own), "cubic");
    assert_eq!(
        with("2.6.3", "cubic").build().unwrap_err(),
        "settings.tcp_congestion_control is \"cubic\", which the kernel 2.6.3 does not have; it has \"reno\""
    );
}
