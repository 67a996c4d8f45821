//! The scheduler: who gets a CPU, who wakes, who moves.

entries! {
    SchedSwitch: "The CPU changes from one task to another.",
        "kernel/sched/core.c: __schedule";
    SchedWakeup: "A task has been woken and is ready to run; it now waits for its CPU.",
        "kernel/sched/core.c: ttwu_do_wakeup";
    SchedWakeupNew: "A task just created is ready to run for the first time.",
        "kernel/sched/core.c: wake_up_new_task";
    SchedWaking: "Somebody begins to wake a task; the event is recorded on the waker's CPU.",
        "kernel/sched/core.c: try_to_wake_up";
    SchedMigrateTask: "A task moves to another CPU, where its data are not in the cache yet.",
        "kernel/sched/core.c: set_task_cpu";
    SchedProcessFork: "A task creates another one: a new process or a thread.",
        "kernel/fork.c: kernel_clone";
    SchedProcessExec: "A process starts to run another program in place of its own.",
        "fs/exec.c: exec_binprm";
    SchedProcessExit: "A task ends.",
        "kernel/exit.c: do_exit";
}
