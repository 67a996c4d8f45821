//! Two NICs of one machine are two devices: each has its own driver, and what one chip can
//! do says nothing of the other (`struct net_device`: `netdev_ops`, `features`).

use sim::config::machine::{Machine, Nic};

use super::*;

/// A chip that neither sums nor cuts, with a driver of other functions.
fn plain(of: &Nic) -> Nic {
    let mut nic = of.clone();
    "plain".clone_into(&mut nic.model);
    nic.checksum = false;
    nic.tso_bytes = 0;
    let driver = &mut nic.driver;
    let paths = [
        (&mut driver.interrupt, "plain_interrupt"),
        (&mut driver.receive, "plain_receive"),
        (&mut driver.refill, "plain_refill"),
        (&mut driver.transmit, "plain_transmit"),
        (&mut driver.transmit_done, "plain_transmit_done"),
    ];
    for (steps, function) in paths {
        function.clone_into(&mut steps[0].function);
    }
    nic
}

/// A stream over each of the NICs of a machine that somebody has changed.
fn streams(kernel: &str, watch: &str, change: impl Fn(&mut Machine)) -> Measured {
    let mut catalogue = Catalogue::shipped().unwrap();
    let mut machine = catalogue.machine("current-server").unwrap().clone();
    change(&mut machine);
    let scenario = json!({
        "machine": "current-server", "kernel": kernel, "workload": "iperf-link",
        "settings": { "cpus": 4, "connections": machine.nics.len(), "message_bytes": 65536,
            "peer": "load-generator", "watch": watch },
        "warmup_us": 5_000, "duration_us": 30_000, "seed": 1
    });
    catalogue.put_machine(machine);
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    simulate(&scenario, &catalogue, false).unwrap().measured
}

fn calls(measured: &Measured, function: &str) -> u64 {
    measured.functions.get(function).map_or(0, |of| of.calls)
}

fn add_plain(machine: &mut Machine) {
    machine.nics.push(plain(&machine.nics[0]));
}

/// The handlers, polls and refills of one NIC are never charged to the other's driver, and
/// together they have seen every frame.
#[test]
fn each_nic_runs_its_own_drivers_steps() {
    let got = streams("6.1", "receiver", add_plain);
    let of = |function| calls(&got, function);
    let (first, second) = (of("mlx5e_handle_rx_cqe"), of("plain_receive"));
    println!(
        "{first} frames by the one, {second} by the other of {}",
        got.frames_received
    );
    assert!(first > 1000 && second > 1000);
    // What the chips have put into memory and no poll has yet seen is a poll's worth at most.
    assert!((first + second).abs_diff(got.frames_received) <= 2 * 64);
    assert_eq!(
        of("mlx5_eq_comp_int") + of("plain_interrupt"),
        got.interrupts
    );
    for function in [
        "plain_interrupt",
        "plain_refill",
        "plain_transmit",
        "plain_transmit_done",
    ] {
        assert!(of(function) > 0, "{function}");
    }
    let alone = streams("6.1", "receiver", |_| ());
    assert_eq!(calls(&alone, "plain_receive"), 0);
}

/// Sums are computed for the frames of the chip that computes none, and for no others.
#[test]
fn only_the_frames_of_a_nic_without_checksums_are_summed() {
    let alone = streams("2.6.9", "receiver", |_| ());
    assert_eq!(calls(&alone, "csum_partial"), 0);
    let both = streams("2.6.9", "receiver", add_plain);
    let (sums, frames) = (calls(&both, "csum_partial"), calls(&both, "plain_receive"));
    println!("{sums} sums for {frames} frames");
    assert!(0 < sums && sums <= frames);
}

/// A chip with TSO is handed pieces of several segments and the other one a frame each time,
/// whichever of them is `eth0`.
#[test]
fn only_a_nic_with_tso_is_handed_large_pieces() {
    let reversed = |machine: &mut Machine| machine.nics.insert(0, plain(&machine.nics[0]));
    let changes: [&dyn Fn(&mut Machine); 2] = [&add_plain, &reversed];
    for change in changes {
        let got = streams("6.1", "sender", change);
        let (large, small) = (calls(&got, "mlx5e_xmit"), calls(&got, "plain_transmit"));
        let by_tso = got.frames_sent - small;
        println!("{by_tso} frames in {large} pieces; {small} one by one");
        assert!(small > 1000 && by_tso > 2 * large);
    }
}
