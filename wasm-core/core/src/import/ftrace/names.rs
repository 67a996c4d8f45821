//! The names of events, each with its meaning in the vocabulary or marked as known and skipped. A probe's own name is
//! its event's name; listed here are names that differ, and events that do not concern packets.

use crate::import::words::Words;
use crate::kernel::{Probe, Probes};

/// The meaning of an event's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// In the vocabulary.
    Probe(Probe, Shape),
    /// A function of a driver; its name goes into the field `func`.
    Driver(Probe),
    /// Known and skipped.
    Skip,
}

/// The form of an event's arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A sequence of `key=value`.
    Arguments,
    /// A name that may contain blanks, up to the end of the line.
    IrqHandlerEntry,
    SchedSwitch,
    /// A task, then pairs.
    SchedTask,
    SchedFork,
    SchedExec,
    NapiPoll,
    SockLength,
    IcmpSend,
    SendmsgLocked,
}

impl Shape {
    /// Whether the name of a task or program precedes its pid.
    pub const fn names_tasks(self) -> bool {
        matches!(
            self,
            Self::SchedSwitch | Self::SchedTask | Self::SchedFork | Self::SchedExec
        )
    }
}

/// Events whose `protocol` is that of a frame (`include/trace/events/net.h`, `skb.h`, v6.18).
pub(crate) const HAVE_ETHERTYPE: Probes = Probes::of(&[
    Probe::KfreeSkb,
    Probe::NetDevStartXmit,
    Probe::NapiGroFragsEntry,
    Probe::NapiGroReceiveEntry,
    Probe::NetifReceiveSkbEntry,
    Probe::NetifReceiveSkbListEntry,
    Probe::NetifRxEntry,
]);

/// Drivers' interrupt handlers.
const IRQ: [&str; 20] = [
    "e1000_intr",
    "e1000_intr_msi",
    "e1000_intr_msi_test",
    "e1000_intr_msix_rx",
    "e1000_intr_msix_tx",
    "e1000_msix_other",
    "cp_interrupt",
    "rtl8139_interrupt",
    "rtl8169_interrupt",
    "vmxnet3_intr",
    "vmxnet3_msix_rx",
    "vmxnet3_msix_tx",
    "igb_intr",
    "igb_intr_msi",
    "igb_msix_ring",
    "ixgbe_intr",
    "ixgbe_msix_clean_rings",
    "pcnet32_interrupt",
    "skb_recv_done",
    "skb_xmit_done",
];

/// The `napi_struct.poll` functions.
const POLL: [&str; 17] = [
    "e1000_clean",
    "e1000e_poll",
    "cp_rx_poll",
    "rtl8139_poll",
    "rtl8169_poll",
    "vmxnet3_poll",
    "vmxnet3_poll_rx_only",
    "igb_poll",
    "ixgbe_poll",
    "i40e_napi_poll",
    "mlx5e_napi_poll",
    "bnxt_poll",
    "pcnet32_poll",
    "virtnet_poll",
    "virtnet_poll_tx",
    "veth_poll",
    "tg3_poll",
];

/// The `ndo_start_xmit` functions.
const XMIT: [&str; 18] = [
    "e1000_xmit_frame",
    "cp_start_xmit",
    "rtl8139_start_xmit",
    "rtl8169_start_xmit",
    "vmxnet3_xmit_frame",
    "igb_xmit_frame",
    "ixgbe_xmit_frame",
    "i40e_lan_xmit_frame",
    "mlx5e_xmit",
    "bnxt_start_xmit",
    "pcnet32_start_xmit",
    "start_xmit",
    "veth_xmit",
    "loopback_xmit",
    "tg3_start_xmit",
    "br_dev_xmit",
    "tun_net_xmit",
    "xennet_start_xmit",
];

/// Events that journeys do not need.
const SKIP: [&str; 48] = [
    "udp_rcv_again", // the captures' second probe at one place, to time a probe
    "net_dev_template",
    "dql_stall_detected",
    "cpu_idle",
    "cpu_frequency",
    "tracing_mark_write",
    "print",
    "bputs",
    "bprint",
    "bpf_trace_printk",
    "kernel_stack",
    "user_stack",
    "function",
    "funcgraph_entry",
    "funcgraph_exit",
    "context_switch",
    "wakeup",
    "sys_enter",
    "sys_exit",
    "br_fdb_add",
    "br_fdb_update",
    "br_fdb_external_learn_add",
    "fdb_delete",
    "console",
    "ipi_entry",
    "ipi_exit",
    "ipi_raise",
    "ipi_send_cpu",
    "ipi_send_cpumask",
    "reschedule_exit",
    "call_function_entry",
    "call_function_exit",
    "call_function_single_exit",
    "irq_work_entry",
    "irq_work_exit",
    "local_timer_entry",
    "local_timer_exit",
    "x86_platform_ipi_entry",
    "x86_platform_ipi_exit",
    "thermal_apic_entry",
    "thermal_apic_exit",
    "sched_process_free",
    "sched_process_wait",
    "sched_process_hang",
    "sched_pi_setprio",
    "sched_kthread_stop",
    "sched_kthread_stop_ret",
    "sk_data_ready_ret",
];

/// Families of events that journeys do not need, by prefix.
const SKIP_FAMILIES: [&str; 24] = [
    "page_pool_",
    "neigh_",
    "fib_",
    "fib6_",
    "xdp_",
    "mem_",
    "timer_",
    "hrtimer_",
    "itimer_",
    "tick_",
    "rcu_",
    "mm_",
    "kmem_",
    "workqueue_",
    "sched_stat_",
    "sched_kthread_work_",
    "sched_numa_",
    "sched_swap_numa",
    "sched_move_numa",
    "sched_stick_numa",
    "tcp_ao_",
    "tcp_hash_",
    "mptcp_",
    "block_",
];

/// The names of all known events.
pub(crate) fn names() -> Words<Known> {
    let own = Probe::ALL
        .iter()
        .filter(|&&probe| probe != Probe::LostEvents)
        .filter(|&&probe| !matches!(probe, Probe::SysEnter | Probe::SysExit))
        .map(|&probe| (probe.name(), Known::Probe(probe, shape(probe))));
    let driver = |list: &'static [&'static str], probe| {
        list.iter().map(move |&name| (name, Known::Driver(probe)))
    };
    let aliases = [
        ("sched_wakeup_ret", Known::Skip),
        (
            "netif_rx_ni_entry",
            Known::Probe(Probe::NetifRxEntry, Shape::Arguments),
        ),
        (
            "netif_rx_ni_exit",
            Known::Probe(Probe::NetifRxExit, Shape::Arguments),
        ),
        (
            "ip_queue_xmit",
            Known::Probe(Probe::IpQueueXmit, Shape::Arguments),
        ),
        // The forms that the export uses where the kernel's own lines cannot hold all fields.
        (
            ".sys_enter",
            Known::Probe(Probe::SysEnter, Shape::Arguments),
        ),
        (".sys_exit", Known::Probe(Probe::SysExit, Shape::Arguments)),
        (
            ".lost_events",
            Known::Probe(Probe::LostEvents, Shape::Arguments),
        ),
        ("__skb_recv_udp", Known::Skip),
        ("skb_copy_datagram_iter_ret", Known::Skip),
    ];
    let skip = SKIP.iter().map(|&name| (name, Known::Skip));
    Words::new(
        own.chain(driver(&IRQ, Probe::DriverIrq))
            .chain(driver(&POLL, Probe::DriverPoll))
            .chain(driver(&XMIT, Probe::NdoStartXmit))
            .chain(aliases)
            .chain(skip),
    )
}

/// Names outside the table: the return of a driver's poll, a kprobe event with the kernel's default name
/// (`p_ip_rcv_0`, `r_ip_rcv_0`), a compiler suffix (`ip_rcv.constprop.0`), a skipped family.
pub(crate) fn by_form(name: &[u8], names: &Words<Known>) -> Option<Known> {
    if let Some(head) = name.strip_suffix(b"_ret") {
        return match names.find(head) {
            Some(Known::Driver(Probe::DriverPoll)) => Some(Known::Driver(Probe::DriverPollRet)),
            // The return of a known function is skipped.
            Some(_) => Some(Known::Skip),
            None => None,
        };
    }
    if let Some(dot) = memchr::memchr(b'.', name).filter(|&dot| dot > 0) {
        let head = &name[..dot];
        return names.find(head).or_else(|| by_form(head, names));
    }
    if let [kind @ (b'p' | b'r'), b'_', middle @ .., b'_', b'0'] = name {
        if *kind == b'p' {
            return names.find(middle);
        }
        let returned = [middle, b"_ret"].concat();
        return names.find(&returned).or_else(|| by_form(&returned, names));
    }
    SKIP_FAMILIES
        .iter()
        .any(|family| name.starts_with(family.as_bytes()))
        .then_some(Known::Skip)
}

const fn shape(probe: Probe) -> Shape {
    match probe {
        Probe::IrqHandlerEntry => Shape::IrqHandlerEntry,
        Probe::SchedSwitch => Shape::SchedSwitch,
        Probe::SchedWakeup
        | Probe::SchedWakeupNew
        | Probe::SchedWaking
        | Probe::SchedMigrateTask
        | Probe::SchedProcessExit => Shape::SchedTask,
        Probe::SchedProcessFork => Shape::SchedFork,
        Probe::SchedProcessExec => Shape::SchedExec,
        Probe::NapiPoll => Shape::NapiPoll,
        Probe::SockRecvLength | Probe::SockSendLength => Shape::SockLength,
        Probe::IcmpSend => Shape::IcmpSend,
        Probe::TcpSendmsgLocked => Shape::SendmsgLocked,
        _ => Shape::Arguments,
    }
}

/// Length in bytes of the event name that the text may begin with.
pub(super) fn name_length(text: &[u8]) -> usize {
    let is_name = |&byte: &u8| IS_NAME[usize::from(byte)];
    let end = text.iter().position(|byte| !is_name(byte));
    end.unwrap_or(text.len())
}

/// Whether each byte may be part of an event's name.
const IS_NAME: [bool; 256] = {
    let mut are = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        are[byte as usize] =
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-' | b'@');
        byte += 1;
    }
    are
};
