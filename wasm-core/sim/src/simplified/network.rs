//! Where devices, links, IP and sockets are simpler than Linux's (`engine/nic/`, `engine/ip/`,
//! `engine/softirq/`, `engine/sockets/`).

use crate::simplification::Simplification;

/// The differences.
pub const SIMPLIFICATIONS: &[Simplification] = &[
    Simplification {
        about: "buses and the card's memory",
        linux: "A chip reads and writes in bursts, interleaves several transfers, and keeps frames \
                in a FIFO of its own until the bus is free.",
        here: "A frame crosses each bus as a whole, with its descriptor, and takes the descriptor \
               when it arrives.",
        seen: "The same limits: descriptors, bus time, frames for each interrupt. A burst beyond \
               the ring is lost a few microseconds sooner.",
    },
    Simplification {
        about: "interrupts and queues of a card",
        linux: "Cards of today have many vectors, and queues of their own for sending.",
        here: "One interrupt serves a receive queue and what was sent; all transmit queues of a \
               card are one.",
        seen: "Freeing what was sent shares interrupts with receiving, on any card.",
    },
    Simplification {
        about: "frames that XDP sends",
        linux: "mlx5 rings the doorbell once for all of a poll, and reclaims descriptors by completions with an interrupt of their \
                own.",
        here: "Each leaves as soon as it has a descriptor. Those of sent frames are reclaimed by the next poll of the NIC, and by a \
               CPU that redirects to it, as virtio does.",
        seen: "The same verdicts, and frames on the wire up to a poll earlier.",
    },
    Simplification {
        about: "descriptors of a large packet",
        linux: "A packet of TSO takes a descriptor for each of its pieces of memory, 17 and more for 64 KiB.",
        here: "It takes one, whatever its size.",
        seen: "A transmit ring without byte queue limits holds more bytes, so that packets wait in it for longer.",
    },
    Simplification {
        about: "interrupts for what was sent",
        linux: "A chip interrupts after so many frames or after a time (tx-frames, tx-usecs), whoever waits for the memory.",
        here: "With `tx_interrupt_frames` 0 a sent frame interrupts if somebody waits: TCP's small queue, a full socket, the qdisc, \
               or a quarter of the ring.",
        seen: "A sender is not held up by a completion that comes late; there are fewer interrupts than a chip would make.",
    },
    Simplification {
        about: "faults of the link",
        linux: "A frame that is lost on the wire takes neither a descriptor nor a share of the bus.",
        here: "A fault of a received frame is decided when the frame would be in memory.",
        seen: "A frame that is made to be lost has taken up its part of the card and the bus until then.",
    },
    Simplification {
        about: "checksums and damage",
        linux: "A card checks no fragment, and UDP checks a datagram of at most 76 bytes before it is queued; a header may be \
                damaged too.",
        here: "A card checks fragments like whole packets, a datagram is checked by its reader whatever its size where the kernel \
               leaves it to readers, and only payload is damaged.",
        seen: "The same drops. A reader may be woken for a short datagram that it never gets.",
    },
    Simplification {
        about: "softirqs in a row",
        linux: "softirq_entry and softirq_exit stand around each call of net_rx_action, also where __do_softirq \
                restarts; TCP's tasklet runs behind it, and also while ksoftirqd waits (6.1).",
        here: "One pair of them stands around all calls in a row; the tasklet runs before the next call, and waits with \
               the rest.",
        seen: "A softirq of a model may run for as long as its restarts together do. Under a flood a sender goes on a little \
               later.",
    },
    Simplification {
        about: "adaptive moderation",
        linux: "Drivers of today set a card's delay by what comes in (mlx5 by DIM, which is on by default; e1000 by \
                InterruptThrottleRate).",
        here: "The delay and the number of frames stay as the machine's file or the scenario says.",
        seen: "A single request waits for the whole delay, and a flood does not lengthen it.",
    },
    Simplification {
        about: "GRO's buckets",
        linux: "Hashes flows into eight buckets and holds at most eight packets in each; one more sends the oldest up.",
        here: "Holds a packet of each flow.",
        seen: "Of very many streams GRO merges somewhat more than on Linux.",
    },
    Simplification {
        about: "limits of a whole host",
        linux: "Bounds the memory of all sockets (udp_mem, tcp_mem) and the queue of a listening socket (somaxconn), and copies \
                packets into less where a UDP buffer is half full (skb_condense).",
        here: "Only the socket's own buffers have limits, and a queue of connections the one that the program asks for.",
        seen: "No load makes a host short of memory for sockets.",
    },
    Simplification {
        about: "steering in software",
        linux: "RPS has a set of CPUs for each queue (rps_cpus) and a limit for single flows (flow_limit); RFS needs tables beside \
                it, and knows readers of TCP and of connected UDP sockets.",
        here: "Both are on together, on all CPUs, without that limit. Only readers of TCP are followed; datagrams go by their \
               hash.",
        seen: "Without RFS, packets on Linux stay where the hash of their flow sends them, wherever the reader runs.",
    },
    Simplification {
        about: "readers that poll",
        linux: "A reader may also ask for larger polls and for interrupts to stay off between them \
                (SO_PREFER_BUSY_POLL), and epoll can poll for many sockets (net.core.busy_poll).",
        here: "A socket's own reader polls before it sleeps, with the budget of the kernel's file; it knows \
               its queue before the first packet has come.",
        seen: "The same polls, sleeps and interrupts as with net.core.busy_read alone.",
    },
    Simplification {
        about: "the other end of the link",
        linux: "The peer has caches, locks and limits too.",
        here: "Unless a scenario names another one, it is a fast machine without cache costs, and \
               the run tells nothing of what happens in it.",
        seen: "It never limits. Its packets appear when they arrive.",
    },
    Simplification {
        about: "the queue before the card",
        linux: "Has many more queueing disciplines (cake, tbf, htb), with classes and filters. What the ring before \
                the card holds is limited in bytes (BQL), and a sender hears at once of a packet that the queue drops.",
        here: "A scenario chooses one of a few; the limit in bytes is there where it asks for it. A sender learns of a \
               drop as of any other loss.",
        seen: "Without the limit packets wait in the ring, where no discipline can let one overtake another.",
    },
    Simplification {
        about: "large datagrams",
        linux: "2.6 builds a datagram in pieces of the MTU as the process writes it.",
        here: "Fragments are cut from the whole, and a piece's memory is the whole's.",
        seen: "One copy and as many packets as on Linux.",
    },
    Simplification {
        about: "memory of packets that are sent",
        linux: "TCP's packets have a head of about a kilobyte, which is rounded up to what the allocator gives.",
        here: "Their head counts as an empty datagram does.",
        seen: "Of small segments some more fit into the memory of fq_codel than on Linux.",
    },
    Simplification {
        about: "memory of received frames",
        linux: "A datagram counts in its socket's buffer the memory that the driver gave its frame; some drivers copy short \
                frames into less (copybreak).",
        here: "So it is where a machine's file tells of the driver's memory, without such copies. Elsewhere a frame counts what \
               a sender's packet of its length does.",
        seen: "A socket of a machine whose file does not tell takes more or fewer datagrams than on Linux.",
    },
    Simplification {
        about: "memory of reassembly",
        linux: "Counts the truesize of the fragments that wait against ipfrag_high_thresh.",
        here: "Counts their bytes.",
        seen: "More small fragments wait than on Linux before one is refused or a datagram is given up.",
    },
    Simplification {
        about: "sockets that come and go",
        linux: "Keeps a small request until the handshake ends, and a closed connection for a \
                minute in TIME-WAIT.",
        here: "A connection has its whole socket at once, and gives its memory back when both ends \
               have closed.",
        seen: "The same segments in the same order. No table of TIME-WAIT sockets fills up.",
    },
    Simplification {
        about: "a close with bytes unread",
        linux: "Resets the connection (tcp_close), as since 2.4 who closes without reading loses what the peer has sent.",
        here: "Frees the bytes and sends a FIN, as if all had been read.",
        seen: "The peer's connection ends in order; a program that leaves early is not noticed.",
    },
    Simplification {
        about: "how long a socket's backlog gets",
        linux: "Since 2.6.34 segments are dropped that find more waiting for the owner of their socket than \
                both its buffers may hold, since 4.9 than these and 64 KiB (SOCKET_BACKLOG).",
        here: "It has no limit of its own; the window bounds what a sender has under way.",
        seen: "None is dropped there, not even of many small segments to a slow owner.",
    },
    Simplification {
        about: "what is around a packet",
        linux: "Routing, neighbours and packet taps look at each packet, and netfilter at five places.",
        here: "Of netfilter a scenario may have one chain, for packets to this host, and a table of connections. The time of \
               the rest is in the cycles of the functions that call it; it decides nothing.",
        seen: "No packet is translated or rerouted, and no host is asked for its address.",
    },
];
