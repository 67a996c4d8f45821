//! What CFS and EEVDF have in common: shares by weight, where tasks wake, balancing.

use super::*;

const LAWS: [&str; 2] = [r#"{"kind": "cfs"}"#, r#"{"kind": "eevdf"}"#];

#[test]
fn shares_follow_weights() {
    for law in LAWS {
        let mut host = Host::new(law, 1, &[], 1);
        let tasks: Vec<_> = [0, 0, 5].map(|nice| host.start(nice, 1, HOG)).into();
        // 1024, 1024 and 335 of 2383.
        assert_eq!(host.shares_over(6_000, &tasks), [43, 43, 14]);
    }
}

#[test]
fn hogs_share_alike_and_take_turns_by_slices() {
    for law in LAWS {
        for hogs in [2, 5, 10] {
            let mut host = Host::new(law, 1, &[], 1);
            let tasks: Vec<_> = (0..hogs).map(|_| host.start(0, 1, HOG)).collect();
            for share in host.shares_over(4_000, &tasks) {
                assert_eq!(share, 100 / hogs);
            }
        }
    }
}

#[test]
fn a_wakeup_prefers_idle_cpus_of_the_same_cache() {
    for law in LAWS {
        let sockets = [0, 0, 1, 1];
        let mut host = Host::new(law, 4, &sockets, 1);
        let task = host.start(0, 15, HOG);
        let sleep = |host: &mut Host| {
            let cpu = (0..4).find(|&cpu| host.scheduler.running(cpu) == Some(task));
            host.scheduler.sleep(task, host.now);
            host.pick(cpu.unwrap_or(0));
        };
        sleep(&mut host);
        assert_eq!(
            host.scheduler.wake(task, 3, false, host.now).cpu,
            0,
            "its last, which idles"
        );
        host.pick(0);
        sleep(&mut host);
        host.start(0, 1, HOG);
        assert_eq!(
            host.scheduler.wake(task, 0, false, host.now).cpu,
            1,
            "idle, same cache"
        );
        host.pick(1);
        sleep(&mut host);
        host.start(0, 2, HOG);
        // Both CPUs of its socket are busy, and so is the waker of the other: stays where it was.
        host.start(0, 8, HOG);
        assert_eq!(host.scheduler.wake(task, 3, false, host.now).cpu, 1);
    }
}

#[test]
fn idle_cpus_pull_and_the_load_evens_out() {
    for law in LAWS {
        let mut host = Host::new(law, 4, &[0, 0, 1, 1], 1);
        let hogs: Vec<_> = (0..8).map(|_| host.start(0, 1, HOG)).collect();
        for &hog in &hogs {
            host.scheduler.set_allowed(hog, 15);
        }
        host.run_ms(500);
        assert_eq!([0, 1, 2, 3].map(|cpu| host.scheduler.waiting(cpu)), [1; 4]);
        for share in host.shares_over(2_000, &hogs) {
            assert_eq!(share, 50);
        }
    }
}
