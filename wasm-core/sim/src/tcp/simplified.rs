//! Where this TCP is simpler than Linux's: what Linux does, what we do, what a learner sees of it.
//!
//! Data, so that the page can show the same sentences. A simplification that is not in this
//! list is a defect.

use crate::simplification::Simplification;

/// All differences.
pub const SIMPLIFICATIONS: &[Simplification] = &[
    Simplification {
        about: "congestion window in bytes",
        linux: "Counts cwnd and what is in flight in packets (skbs of up to an MSS).",
        here: "Counts bytes, as RFC 5681 does.",
        seen: "With messages far smaller than the MSS, Linux stops after 10 small packets; here \
               thousands of them fit into the first window.",
    },
    Simplification {
        about: "memory of buffers",
        linux: "Charges the whole truesize of each skb against the buffers, prunes and collapses \
                queues, and stops all sockets when tcp_mem is full.",
        here: "A kernel of today (6.18) charges the truesize of each received skb, and its buffer grows with a queue \
               that outgrows it. Older ones charge payload bytes only, given back when all of an skb was read; \
               their buffers are net of overhead. Nothing is pruned or collapsed, and tcp_mem has no end.",
        seen: "In an older kernel many small segments never fill the receive buffer before their bytes do. A \
               buffer that the program has set offers no window when small segments fill it, where Linux makes \
               room.",
    },
    Simplification {
        about: "receive autotuning",
        linux: "Since v2.6.7 grows the buffer with the reader's pace (tcp_rcv_space_adjust).",
        here: "The buffer grows by the same rule where the kernel's file names a largest one, and is \
               fixed in the others.",
        seen: "In old kernels windows never exceed the configured buffer.",
    },
    Simplification {
        about: "timestamps and RTT samples",
        linux: "Takes a sample from nearly every ACK, with the timestamp option even of \
                retransmissions; PAWS drops old segments; Eifel detects needless timeouts.",
        here: "Current kernels take a sample of what was sent once from every ACK; older ones time one segment at a \
               time (RFC 6298 §3, Karn). Timestamps cost their 12 bytes of MSS, end the back-off of a timeout at any ACK \
               of new data, and tell the receiver the round trip by which its buffer grows.",
        seen: "SRTT follows a change of the path some round trips later. A timeout that was not \
               needed keeps its price: the window is not restored.",
    },
    Simplification {
        about: "short segments of a size",
        linux: "Takes two in a row for whole ones, so that the second is not acknowledged when it is read.",
        here: "So do the kernels from 2.3.99 on; in that of 2.2.14 each of them is acknowledged.",
        seen: "In a run of 2.2.14 a sender of short writes waits less for ACKs than it may on Linux, and its segments are \
               shorter.",
    },
    Simplification {
        about: "undo (DSACK, F-RTO)",
        linux: "Restores cwnd when a DSACK, a timestamp or F-RTO shows that nothing was lost.",
        here: "Current kernels restore it by timestamps when a fast retransmission was not needed; after a \
               timeout, without timestamps and in old kernels a reduction stands. Reordering seen \
               through SACK raises the duplicate ACK threshold.",
        seen: "On reordering links the throughput of old kernels recovers later than on Linux; a timeout \
               that was not needed keeps its price.",
    },
    Simplification {
        about: "how loss is noticed",
        linux: "FACK up to v4.14; RACK by time, and the tail loss probe, since v3.10 to v4.18.",
        here: "Current kernels have RACK and the probe, with SACK; their reordering window does not \
               grow with DSACKs. Older ones have RFC 6675: a hole below more than two segments' worth of \
               SACKed bytes is lost. Timers but the delayed ACK's are exact, not in jiffies.",
        seen: "In an old kernel's run a retransmission that is lost again waits for the timeout.",
    },
    Simplification {
        about: "how the window shrinks",
        linux: "Reduces cwnd step by step during recovery: rate halving, since v3.2 PRR.",
        here: "Current kernels have PRR, with SACK; else it is set to ssthresh at once and more is sent \
               when enough has left the network.",
        seen: "Without SACK, and in old kernels, a pause of about half a round trip after the fast \
               retransmit, where Linux sends one segment for each two ACKs.",
    },
    Simplification {
        about: "pacing",
        linux: "Spaces segments out by fq, or by a timer of its own where a program or a congestion control asks for \
                it. Timers and timestamps count from a segment's departure.",
        here: "Segments are spaced out where the device has fq. Timers count from the moment at which TCP hands them \
               down, and so do timestamps.",
        seen: "Without fq a window may leave as a burst, as on Linux; none can be paced by TCP alone.",
    },
    Simplification {
        about: "small queues",
        linux: "Counts the truesize of what lies below TCP, and waits with a retransmission whose first copy \
                still does.",
        here: "Counts payload bytes (from 3.6 on, as the kernel's file says); a retransmission finds room for \
               twice as much, as on Linux, whatever its first copy does.",
        seen: "A little more of a flow lies in the device's queue than on Linux.",
    },
    Simplification {
        about: "delayed ACK time",
        linux: "Adapts it between 40 and 200 ms to the gaps between segments (ato).",
        here: "Always the configured time.",
        seen: "A lone segment is acknowledged after exactly that time.",
    },
    Simplification {
        about: "selective ACKs in a row",
        linux: "Sends the ACKs of data behind a hole that wait for each other (tcp_comp_sack_nr) before the blocks that they \
                have to tell are more than two.",
        here: "They wait for their time or their number, however many holes there are.",
        seen: "With many holes the sender learns of the last ones up to a millisecond later.",
    },
    Simplification {
        about: "drops of the own qdisc",
        linux: "Tells TCP that its device's queue has refused a segment: the congestion window comes down as for a mark \
                (tcp_enter_cwr), and a retransmission that failed so is not counted.",
        here: "TCP learns of it as of any other loss.",
        seen: "A sender behind its own full queue slows down a round trip later.",
    },
    Simplification {
        about: "the least round trip",
        linux: "Is the least of the last 300 seconds (tcp_min_rtt_wlen).",
        here: "Is the least of the connection.",
        seen: "A path that becomes longer while a connection lasts more than five minutes is not noticed.",
    },
    Simplification {
        about: "growth of the send buffer",
        linux: "Grows it when a writer waits for room and less than the congestion window is in flight \
                (tcp_should_expand_sndbuf).",
        here: "Grows it at every ACK of new data.",
        seen: "The buffer reaches its size some round trips sooner.",
    },
    Simplification {
        about: "an ACK of a socket in use (2.2)",
        linux: "2.2 has no icsk_ack.blocked: an ACK that was due while a process owned the socket waits until the timer expires \
                again.",
        here: "Is sent at the end of the read, as by later kernels.",
        seen: "In a run of 2.2.14 the ACK of a reader that was preempted comes some ticks sooner.",
    },
    Simplification {
        about: "close",
        linux: "close() of a full connection leaves an orphan: data that still comes is answered \
                by RST, and FIN-WAIT-2 ends after tcp_fin_timeout.",
        here: "close() is shutdown(SHUT_WR): data is still received, FIN-WAIT-2 waits.",
        seen: "No RST after an early close; a peer that never closes leaves FIN-WAIT-2 for ever.",
    },
    Simplification {
        about: "the listening socket",
        linux: "Keeps small request sockets in a SYN queue, answers with SYN cookies when it is \
                full, and drops when the accept queue is.",
        here: "A SYN makes a whole control block in SYN-RECV; its caller limits how many.",
        seen: "No SYN cookies.",
    },
    Simplification {
        about: "initial sequence numbers, urgent data, Fast Open, keepalive, MTU probing",
        linux: "Has them all.",
        here: "Streams begin at 0 and never wrap; the rest is left out.",
        seen: "Sequence numbers are readable as positions in the stream.",
    },
    Simplification {
        about: "explicit congestion notification",
        linux: "Also knows accurate ECN (AccECN, since 6.18) and routes that ask for it.",
        here: "RFC 3168 as net.ipv4.tcp_ecn 0 to 2 have it, in the kernels from 6.1 on. A fast recovery that an echo \
               forbids to undo is not left early either.",
        seen: "A window with one mark shrinks as much as one whose segments are all marked, but with DCTCP.",
    },
    Simplification {
        about: "automatic corking",
        linux: "A piece that is not full waits while an earlier one is in the device's queue (tcp_autocorking).",
        here: "Nagle's algorithm in Minshall's variant, TCP_CORK and MSG_MORE; no automatic corking.",
        seen: "Small writes in a row go out as more, smaller segments than with autocorking.",
    },
];
