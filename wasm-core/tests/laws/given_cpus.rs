//! A host gives some of its CPUs to its processes: these are never idle while a task wants them, and the others
//! are left to the kernel.

use super::scenarios::record;
use super::*;

/// A stream over loopback beside as many tasks that compute as the host has CPUs.
fn scenario(kernel: &str, cpus: u16, given: u16) -> Value {
    json!({
        "machine": "piii-500-4way", "kernel": kernel, "workload": "host-stream",
        "settings": {
            "cpus": cpus, "process_cpus": given, "connections": 2, "message_bytes": 4096,
            "process_affinity": true, "background_hogs": cpus
        },
        "duration_us": 200_000, "warmup_us": 50_000, "seed": 1
    })
}

#[test]
fn processes_take_the_cpus_given_to_them_whole_and_no_other() {
    for kernel in ["2.4.17", "2.6.3", "6.1", "6.18"] {
        for (cpus, given) in [(2, 1), (4, 1), (4, 3), (2, 2)] {
            let (measured, _) = record(&scenario(kernel, cpus, given));
            for (cpu, &busy) in measured.cpu_busy_fs.iter().enumerate() {
                let per_mille = busy * 1000 / measured.elapsed_fs;
                let what = format!("{kernel}, {given} of {cpus}: CPU {cpu} is busy {per_mille} ‰");
                if cpu < usize::from(given) {
                    assert!(per_mille >= 990, "{what}");
                } else {
                    // Its ticks alone.
                    assert!(per_mille <= 20, "{what}");
                }
            }
        }
    }
}

/// Where two tasks take turns of themselves, the length of a slice, which grows with the host's CPUs, does not
/// matter.
#[test]
fn requests_that_have_one_cpu_of_two_are_answered_as_on_a_host_of_one() {
    let rate = |cpus, given| {
        let mut scenario = scenario("6.18", cpus, given);
        scenario["workload"] = "host-request".into();
        scenario["settings"]["background_hogs"] = 0.into();
        record(&scenario).0.rounds as f64
    };
    let ratio = rate(2, 1) / rate(1, 1);
    assert!((0.98..1.02).contains(&ratio), "{ratio}");
}
