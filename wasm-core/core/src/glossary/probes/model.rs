//! What only a model sees, and what a recording says about itself. The lock events
//! exist as tracepoints of a kernel too; the rest has no kernel function.

entries! {
    RxDma: "In a model: the NIC writes the frame into memory and marks its receive descriptor as filled.";
    RxItr: "In a model: the NIC's interrupt moderation lets an interrupt out after holding it back for a time or a number of frames.";
    ContentionBegin: "A CPU or task finds a lock taken and starts to wait for it.",
        "kernel/locking/qspinlock.c: queued_spin_lock_slowpath";
    ContentionEnd: "The wait for a lock is over: the CPU or task has it now.",
        "kernel/locking/qspinlock.c: queued_spin_lock_slowpath";
    LockRelease: "A lock is let go; a recording shows this only if the kernel was built to check its locks.",
        "kernel/locking/lockdep.c: lock_release";
    CacheLineFill: "In a model: a CPU fetches cache lines from memory because no cache holds them.";
    CacheLineMove: "In a model: a CPU needs cache lines that another CPU changed, and they move from cache to cache.";
    CacheLineEvict: "In a model: cache lines leave a CPU's cache for want of room, because a device wrote to that memory, or because the object is gone.";
    CacheLineState: "In a model: cache lines stay where they are in another state, as somebody wrote, read or dropped them.";
    RunQueue: "In a model: the number of tasks that wait for this CPU changes.";
    RunQueueTask: "In a model: a waiting task gets a place in the order in which this CPU would take it, by its slice or its virtual deadline.";
    TimeSlice: "In a model: the time that a task may run before others get their turn is handed out or used up.";
    ProbeCost: "In a model: the time that measuring takes, so that one sees how a probe disturbs what it measures.";
    LostEvents: "The tracer's buffer for this CPU was full: events are missing here, and the count says how many if it is known.",
        "kernel/trace/trace.c: print_trace_line";
}
