//! Where caches and memory are simpler than a machine's (`cache.rs`,
//! `engine/memory/`).

use crate::simplification::Simplification;

/// The differences.
pub const SIMPLIFICATIONS: &[Simplification] = &[
    Simplification {
        about: "lines in groups",
        linux: "Every line of 32 or 64 bytes has a state of its own in every cache.",
        here: "All lines of an object (a lock, the hot part of a socket, a packet's head, a page of \
               data) change state together; of a page, a touch costs as many lines as it reaches.",
        seen: "Two fields that share a line, or two CPUs at two ends of one page, disturb each \
               other only where the kernel's description says so. Lines cross in bunches, and a \
               cache shows the lines of a page that were used, not those that came along.",
    },
    Simplification {
        about: "which line makes room",
        linux: "A set of 4 to 16 places takes each line, and pseudo-LRU chooses which one leaves.",
        here: "The object that was not used for the longest time leaves, wherever it lies.",
        seen: "A working set just below the capacity never misses, one just above it misses all \
               the time. On a machine the change is gradual.",
    },
    Simplification {
        about: "levels of cache",
        linux: "Each core has two or three levels of cache, and the last may be shared.",
        here: "Each core has one; hyper-threads share it. Where the machine's file says so, a last one that all \
               cores share takes what theirs have no room for, and a copy takes longer for packet and user data that \
               are not in a first one.",
        seen: "A line is in the cache, in another one, in the last one or in memory; that it was in the second level \
               and not in the first is in the time of a copy alone.",
    },
    Simplification {
        about: "prefetching",
        linux: "The processor sees a copy run through a page and fetches ahead.",
        here: "Every line is waited for; a line of packet or user data costs less than one of a \
               structure (`cache.stream_read_cycles`).",
        seen: "The first lines of a copy cost as much as the last.",
    },
    Simplification {
        about: "the only copy left",
        linux: "After the other sharers lost their copies a first write still asks the bus whether \
                anybody else has the line.",
        here: "A cache with the only copy knows that it is alone, and writes at no cost.",
        seen: "Slightly fewer bus transactions where a line is read by two and then written by one.",
    },
    Simplification {
        about: "what devices write",
        linux: "A NIC writes a frame while it comes in, and caches lose its lines one by one.",
        here: "They lose all of them when the frame is in memory. A profile of lines lost spreads \
               them evenly over the CPU's time.",
        seen: "Just before a frame is there its old lines still stand in a cache.",
    },
    Simplification {
        about: "the slab allocator",
        linux: "Has slabs of objects, magazines for each CPU and colours against conflicts.",
        here: "Has a stack of free objects for each CPU and a shared one behind it.",
        seen: "What matters for caches stays: memory freed on one CPU is soon written on another. \
               Nothing of the allocator's own search is seen.",
    },
    Simplification {
        about: "deferred frees",
        linux: "Since 5.19 a reader of TCP gives a packet back to the CPU that allocated it (skb_attempt_defer_free), and since \
                6.18 a reader of UDP too.",
        here: "Packets are freed where they were read. Of 6.18 the function's time is counted.",
        seen: "Where reader and interrupt have two CPUs, the lines of a packet's head cross more often than on Linux.",
    },
    Simplification {
        about: "code, stack and page tables",
        linux: "Instructions, stacks and page tables come through the caches and the TLB too.",
        here: "Only the objects that a kernel's description names are in caches, and where a machine's \
               cache of instructions was measured the lines of code that a call runs through. The rest is \
               in the base cycles of each function; nothing misses a TLB.",
        seen: "On a machine without such a measurement a path that was not run for long is as fast as \
               one just run, but for its data.",
    },
];
