//! Where scheduling and locks are simpler than Linux's (`sched/`, `engine/locks/`,
//! `engine/tasks/`).

use crate::simplification::Simplification;

/// The differences.
pub const SIMPLIFICATIONS: &[Simplification] = &[
    Simplification {
        about: "kinds of tasks",
        linux: "Realtime and deadline tasks come before all others.",
        here: "Only ordinary tasks exist, of nice -20 to 19.",
        seen: "Nothing comes before a process but softirqs and interrupts.",
    },
    Simplification {
        about: "new tasks",
        linux: "2.2 to 2.6 halve the parent's time slice between parent and child, and 2.6 its \
                `sleep_avg`; under CFS a child comes a slice behind the others. It starts on its parent's CPU and \
                moves at `exec`.",
        here: "A new task has a full slice and no `sleep_avg`, and starts where the fewest tasks are. Under CFS it \
               comes among the others, and the first sleep of a run counts as a long one.",
        seen: "The spread over CPUs that a machine reaches after some balancing is there at once. A \
               program needs a second or so more to count as interactive under 2.6.",
    },
    Simplification {
        about: "what a sleep earns (2.6 before the fair scheduler)",
        linux: "Waits for a disk earn little `sleep_avg`; a reader woken by a system call earns 30 % \
                of its wait for the CPU.",
        here: "All sleeps earn alike, and every wake-up as one by an interrupt, unless it is \
               synchronous. There is no disk.",
        seen: "Readers of pipes become interactive sooner. Readers of packets do as on Linux, whose \
               softirqs wake them.",
    },
    Simplification {
        about: "a process that is stopped",
        linux: "A signal wakes who sleeps in a system call; the call is restarted when the process goes on.",
        here: "It stays in its system call and sleeps on.",
        seen: "The same queue fills, with two switches fewer.",
    },
    Simplification {
        about: "balancing under 2.6",
        linux: "From 2.6.7 on balances group by group of each scheduling domain and pushes a task \
                off a shared core.",
        here: "Pulls from the longest queue at each release, as 2.6.3 does.",
        seen: "Two busy tasks may share the threads of one core a little longer while another core \
               idles.",
    },
    Simplification {
        about: "load under the fair scheduler",
        linux: "Averages each task's load over some 32 ms (PELT), sleepers in part, and searches for \
                a core whose threads all idle; `wake_wide()` spreads those woken by one.",
        here: "Counts the weights of the tasks that are runnable now, on two levels: a shared cache \
               and the machine.",
        seen: "Decisions flip sooner when tasks come and go within milliseconds.",
    },
    Simplification {
        about: "groups",
        linux: "Control groups and autogroups share a CPU between groups first.",
        here: "All tasks of a CPU share one queue.",
        seen: "Two users with one and nine hogs get a tenth and nine tenths; with autogroups Linux \
               gives each half.",
    },
    Simplification {
        about: "the fair scheduler's tree",
        linux: "Keeps waiting tasks in a red-black tree.",
        here: "Keeps a sorted list, and prices a search of it as one of a tree.",
        seen: "Nothing: the order is the same.",
    },
    Simplification {
        about: "who gets a lock next",
        linux: "Before 2.6.25 whoever is fastest; since then in turn.",
        here: "Who waited longest.",
        seen: "No CPU starves at a lock, even in kernels where one could.",
    },
    Simplification {
        about: "locks and interrupts",
        linux: "Some locks are taken with interrupts off, so that no handler finds its own CPU \
                holding one.",
        here: "No lock holds interrupts off; a handler that wants what its own CPU holds goes on as \
               if it had it, and one that wants what its CPU waits for gets it first.",
        seen: "An interrupt comes a microsecond too soon now and then.",
    },
];
