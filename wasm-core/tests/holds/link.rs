//! Scenarios over a link, drawn at random: kernels, machines, loads, faults, and what a host has today.

use std::collections::BTreeMap;
use std::fmt::Write;

use proptest::prelude::*;
use sim::config::catalogue::Catalogue;
use sim::config::kernel::Kernel;
use sim::qdisc::Device;

use super::kernels;

const LINK_WORKLOADS: &[&str] = &[
    "iperf-link",
    "netperf-stream",
    "netperf-rr",
    "connect-close",
    "paced-tcp",
    "paced-udp",
    "kperf-generator-tcp",
    "kperf-generator-udp",
];
/// Something of each kernel.
fn of_kernels<T>(what: impl Fn(&Kernel) -> T) -> BTreeMap<String, T> {
    let catalogue = Catalogue::shipped().unwrap();
    let kernels = catalogue.kernels();
    kernels
        .map(|kernel| (kernel.name.clone(), what(kernel)))
        .collect()
}

/// Settings of mechanisms that a host has today; XDP needs a driver that has it.
const MECHANISMS: &[&str] = &[
    "",
    r#","rps":true"#,
    r#","rps":true,"irq_affinity":"cpu0""#,
    r#","busy_poll_us":50"#,
    r#","firewall_rules":30"#,
    r#","nf_conntrack_max":2"#,
    r#","nf_conntrack_max":64,"firewall_rules":3"#,
    r#","xdp":"drop","xdp_permille":200"#,
    r#","xdp":"tx","xdp_permille":200"#,
];

pub fn link_scenario() -> impl Strategy<Value = String> {
    let device = Device {
        frame_bytes: 1514,
        queue_packets: 1000,
    };
    let qdiscs = of_kernels(|kernel| kernel.qdiscs.names(device).collect::<Vec<_>>());
    let controls = of_kernels(|kernel| {
        let names = kernel.tcp.congestion_controls.names();
        names.collect::<Vec<_>>()
    });
    let knows_ecn = of_kernels(|kernel| kernel.tcp.ecn.is_some());
    let polls = of_kernels(|kernel| kernel.receive.busy_poll_budget > 0);
    let who = (
        kernels(),
        prop::sample::select(LINK_WORKLOADS),
        prop::sample::select(vec![
            ("piii-700-8way", 8),
            ("pii-xeon-400-4way", 4),
            ("recorder", 2),
            ("recorder-e1000", 2),
            ("via-eden-553", 1),
            ("fermilab-pii-350", 1),
            ("current-server", 4),
        ]),
        1_u32..=4,
        any::<bool>(),
    );
    let how = (
        prop::sample::select(vec![100_u32, 1400, 4000, 26_000]),
        prop::sample::select(vec![4096_u32, 16_384, 65_536, 262_144]),
        prop::sample::select(vec![None, Some(2_u32), Some(8), Some(64)]),
        prop::sample::select(vec![0_u32, 0, 5, 50]),
        prop::sample::select(vec![0_u32, 0, 20]),
        prop::sample::select(vec![None, Some((0_u32, 4_u32)), Some((100, 0))]),
        (
            prop::sample::select(vec![None, None, Some(5_u32), Some(100)]),
            any::<prop::sample::Index>(),
            prop::sample::select(MECHANISMS),
        ),
    );
    let faults = prop::collection::vec(
        (
            0_u32..20_000,
            prop::sample::select(vec![
                r#""do":"drop_frame""#,
                r#""do":"duplicate_frame""#,
                r#""do":"delay_frame","us":700"#,
                r#""do":"drop_frame","sent":true"#,
                r#""do":"reorder_frame","behind":3"#,
                r#""do":"reorder_frame","behind":20,"sent":true"#,
                r#""do":"damage_frame""#,
                r#""do":"damage_frame","sent":true"#,
                r#""do":"pin_interrupts","cpu":0"#,
                r#""do":"set_ring","descriptors":300"#,
                r#""do":"steal_cpu","cpu":0,"us":900"#,
                r#""do":"shrink_ring","descriptors":3"#,
            ]),
        ),
        0..4,
    );
    (who, how, faults, 0_u64..1000).prop_map(move |(who, how, faults, seed)| {
        let (kernel, workload, (machine, cpus), connections, watch_sender) = who;
        let (message, buffer, ring, loss, reorder, moderation, (slow, discipline, mechanism)) = how;
        let mut settings = format!(
            r#""cpus":{cpus},"connections":{connections},"message_bytes":{message},
            "send_buffer_bytes":{buffer},"receive_buffer_bytes":{buffer},
            "link_loss_permille":{loss},"link_reorder_permille":{reorder}"#
        );
        if let Some(ring) = ring {
            write!(settings, r#","rx_ring":{ring}"#).unwrap();
        }
        if let Some((delay, frames)) = moderation {
            let moderation = format!(r#""interrupt_delay_us":{delay},"interrupt_frames":{frames}"#);
            write!(settings, ",{moderation}").unwrap();
        }
        if let Some(mbit) = slow {
            let qdisc = discipline.get(&qdiscs[&kernel]);
            let slow = format!(r#""link_mbit":{mbit},"byte_queue_limits":true,"qdisc":"{qdisc}""#);
            write!(settings, ",{slow}").unwrap();
            let control = discipline.get(&controls[&kernel]);
            write!(settings, r#","tcp_congestion_control":"{control}""#).unwrap();
        }
        if watch_sender {
            settings += r#","watch":"sender""#;
        }
        // Of today's kernels; XDP where the driver has it.
        if polls[&kernel] && (machine == "current-server" || !mechanism.contains("xdp")) {
            settings += mechanism;
        }
        if slow.is_some() && knows_ecn[&kernel] {
            settings += r#","tcp_ecn":"asks""#;
        }
        let faults: Vec<String> = faults
            .iter()
            .map(|(at, what)| format!(r#"{{"at_us":{at},{what}}}"#))
            .collect();
        format!(
            r#"{{"machine":"{machine}","kernel":"{kernel}","workload":"{workload}",
            "settings":{{{settings}}},"duration_us":25000,"seed":{seed},"faults":[{}]}}"#,
            faults.join(",")
        )
    })
}
