//! Names of tasks, files and interrupts that hold what parts an event from what is around it.

use super::{import, picture};

/// `perf script -F +ip,sym`, `+symoff`, `+dso`, `+cgroup`: what stands behind an event is no part of it.
#[test]
fn what_perf_prints_behind_an_event_is_no_part_of_it() {
    let plain = "\
         swapper       0 [000]    10.000105:         skb:kfree_skb: skbaddr=0xffff888001000100 rx_sk=(nil) protocol=2048 location=tcp_v4_rcv+0x81 reason: NO_SOCKET
         swapper       0 [000]    10.000205:         skb:kfree_skb: skbaddr=0xffff888001000300 protocol=2048 location=a reason: NEW_ONE
         swapper       0 [000]    10.000305: irq:irq_handler_entry: irq=24 name=eth0-rx-0
         swapper       0 [000]    10.000306: irq:irq_handler_entry: irq=9 name=ACPI deadbeef thing
         swapper       0 [000]    10.000307: napi:napi_poll: napi poll on napi struct 0xffff88800694ec30 for device eth0
         swapper       0 [000]    10.000308: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120
";
    let expected = picture(plain);
    for behind in [
        " ffffffff81a0b1c2",
        " ffffffff81a0b1c2 __handle_irq_event_percpu",
        " ffffffff81a0b1c2 __handle_irq_event_percpu+0x82",
        " ffffffff81a0b1c2 [unknown]",
        " ffffffff81a0b1c2 net_rx_action+0x0 ([kernel.kallsyms])",
        " ffffffff81a0b1c2 f+0x0 (/lib/a b.ko)",
        "           7f1234 __send+0x10 (/lib/libc.so)",
        " /user.slice",
        " /",
        " ffffffff81a0b1c2 f /system.slice/a.service",
    ] {
        let lines = plain.lines().map(|line| format!("{line}{behind}\n"));
        let text: String = lines.collect();
        assert_eq!(picture(&text), expected, "{behind}");
    }
    let junk = plain.replace("NO_SOCKET\n", "NO_SOCKET 17 more\n");
    assert_eq!(picture(&junk), expected);
    assert_eq!(import(plain).expect("a trace").run.len(), 6);
}
