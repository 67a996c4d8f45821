//! Where processors and processes are simpler than a machine's (`engine/`).

use crate::simplification::Simplification;

/// The differences.
pub const SIMPLIFICATIONS: &[Simplification] = &[
    Simplification {
        about: "the grain of time",
        linux: "Interleaves CPUs instruction by instruction.",
        here: "A kernel function, or a part of one, is a step with a fixed number of cycles plus \
               what its touches of memory cost. What it does to others, a wake-up or a queue, \
               happens at its start or its end.",
        seen: "Every cause comes before its effect, at the grain of a function. Two passes through \
               the same code take the same time, but for caches, locks and interrupts.",
    },
    Simplification {
        about: "processors",
        linux: "Pipelines, branch predictors and TLBs make a function's time depend on what ran \
                before it.",
        here: "A machine scales all base cycles by one factor (`processors.core_permille`), and a \
               busy sibling thread slows a core by another. Of Linux 6.18 code is fetched again that \
               a core's first cache has lost, function by function, where a machine file says how \
               large that cache is; what other kernels wait for code is in their cycles.",
        seen: "Kernels age well: what an older processor did badly is not in their profile.",
    },
    Simplification {
        about: "the functions of a path",
        linux: "A packet passes a hundred functions or more, by branches that depend on it.",
        here: "A path is a list of some thirty steps, the same for every packet of its kind.",
        seen: "A profile has fewer and larger lines; rare branches never show.",
    },
    Simplification {
        about: "other work",
        linux: "Daemons, kernel threads, timers and disks want the CPU now and then.",
        here: "Only the tasks of the workload and its background hogs exist.",
        seen: "An idle CPU is idle. Two runs with one seed are the same to the byte.",
    },
    Simplification {
        about: "noise",
        linux: "A virtual machine's host, firmware and other guests take a CPU away for moments, some at \
                regular times and some for long.",
        here: "Where a machine file tells of noise, a step under way takes longer by a moment of one of a \
               few lengths, each kind at random times; a spinning CPU misses nothing. Other machines have none.",
        seen: "A task that was held up owes others its time, and they run on; no long silence comes.",
    },
    Simplification {
        about: "programs",
        linux: "A program reads what arrived and decides.",
        here: "A task repeats a list of system calls and stretches of computing; bytes have a number \
               and no content.",
        seen: "Requests and answers have one size each; no program fails.",
    },
];
