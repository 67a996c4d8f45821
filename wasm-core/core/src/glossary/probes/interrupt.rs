//! Interrupts, softirqs and NAPI polls. The three `driver_` words are ours: they
//! stand for whatever function the driver gave the kernel to call.

entries! {
    IrqHandlerEntry: "A device interrupts the CPU, and the kernel calls the handler that the device's driver registered for it.",
        "kernel/irq/handle.c: __handle_irq_event_percpu";
    IrqHandlerExit: "The driver's interrupt handler has returned and has said whether its device had raised the interrupt.",
        "kernel/irq/handle.c: __handle_irq_event_percpu";
    SoftirqRaise: "A softirq, work put off until just after the interrupt, is marked as due on this CPU.",
        "kernel/softirq.c: __raise_softirq_irqoff";
    SoftirqEntry: "The CPU begins the work of a softirq; NET_RX receives packets, NET_TX finishes and resumes sending.",
        "kernel/softirq.c: handle_softirqs";
    SoftirqExit: "This softirq's work is done for now; the CPU goes on to the next one that is due or back to what it did before.",
        "kernel/softirq.c: handle_softirqs";
    TaskletEntry: "A tasklet, a small piece of work that a driver put off to softirq time, begins.",
        "kernel/softirq.c: tasklet_action_common";
    TaskletExit: "A tasklet, a small piece of work that a driver put off to softirq time, is done.",
        "kernel/softirq.c: tasklet_action_common";
    CallFunctionSingleEntry: "Another CPU interrupts this one to have a function run here; that is how packets steered to this CPU announce themselves.",
        "arch/x86/kernel/smp.c: sysvec_call_function_single";
    RescheduleEntry: "Another CPU interrupts this one because the scheduler should look here for a task to run.",
        "arch/x86/kernel/smp.c: sysvec_reschedule_ipi";
    DriverIrq: "Our word for the driver's own interrupt handler: it asks for a poll and keeps the NIC from interrupting until then.",
        "include/linux/interrupt.h: irqaction.handler";
    DriverPoll: "Our word for the driver's own poll function: it takes received frames out of the ring, no more than its budget.",
        "include/linux/netdevice.h: napi_struct.poll";
    DriverPollRet: "The driver's poll function has returned how many frames it took; fewer than its budget means that the ring is empty.",
        "include/linux/netdevice.h: napi_struct.poll";
    NapiSchedule: "The driver puts its device on this CPU's list of devices to poll and raises the receive softirq.",
        "net/core/dev.c: __napi_schedule";
    NetRxAction: "The receive softirq polls the devices on this CPU's list, one after the other, within a budget of packets and time.",
        "net/core/dev.c: net_rx_action";
    NetTxAction: "The transmit softirq frees packets that have been sent and lets waiting queueing disciplines send on.",
        "net/core/dev.c: net_tx_action";
    NapiPoll: "One poll of one device has ended; it tells how many packets it handled and how many it was allowed (the budget).",
        "net/core/dev.c: __napi_poll";
    NapiCompleteDone: "The driver finds its ring empty: the device leaves the poll list and may interrupt again.",
        "net/core/dev.c: napi_complete_done";
    ProcessBacklog: "The CPU takes packets out of its own backlog queue, which is polled as if it were a device.",
        "net/core/dev.c: process_backlog";
    RpsTriggerSoftirq: "The CPU is told by another one that packets for it lie in its backlog, and puts the backlog on its poll list.",
        "net/core/dev.c: rps_trigger_softirq";
}
