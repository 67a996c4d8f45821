//! What the value of each [`Field`] is, and its unit.
//!
//! Read in the tracepoints' formats, `include/trace/events/` (v6.12), and, for the
//! fields that only our own format has, in its description. Most have no function.

use super::Entry;
use crate::kernel::Field;

/// The entry of a field.
#[allow(clippy::too_many_lines, reason = "a table: one line for every field")]
pub const fn field(field: Field) -> Entry {
    explain!(field, Field {
        Dev: "The network device, by name.";
        Func: "The kernel function that was called, by name.";
        Name: "The name of the interrupt's handler, as the driver registered it.";
        Comm: "The command name of the task, at most 15 characters.";
        PrevComm: "The command name of the task that leaves the CPU.";
        NextComm: "The command name of the task that gets the CPU.";
        PrevState: "The state in which the task leaves the CPU: R still wants to run, S sleeps, D waits and cannot be disturbed.";
        Location: "The kernel function from which the packet was freed.";
        Oldstate: "The state that is left: of a TCP connection, or of cache lines in a model.";
        Newstate: "The state that is entered: by a TCP connection, or by cache lines in a model.";
        Object: "The data structure whose cache line is meant, by name.";
        Lock: "The lock, by name.";
        Napi: "The address of the NAPI context, the structure by which a device's queue is polled.";
        Into: "The address of the packet that takes this one in.";
        Q: "The address of the queue in which the fragments of one datagram are collected.";
        Cookie: "A number that the kernel gives a socket once and never to another.",
            "include/linux/sock_diag.h: sock_gen_cookie";
        Irq: "The number of the interrupt line.";
        Vec: "The number of the softirq; 2 is NET_TX, 3 is NET_RX.";
        Vector: "The number of the CPU's interrupt vector.";
        Work: "How many packets the poll handled.";
        Budget: "How many packets the poll was allowed to handle.";
        TargetCpu: "The CPU on which the woken task is to run.";
        OrigCpu: "The CPU that the task leaves.";
        DestCpu: "The CPU to which the task moves.";
        PrevPid: "The thread id of the task that leaves the CPU.";
        PrevPrio: "The kernel priority of the task that leaves the CPU; 120 is normal and lower numbers go first.";
        NextPid: "The thread id of the task that gets the CPU.";
        NextPrio: "The kernel priority of the task that gets the CPU; 120 is normal and lower numbers go first.";
        Prio: "The kernel priority of the task; 120 is normal and lower numbers go first.";
        ChildPid: "The thread id of the new task.";
        TargetPid: "The thread id of the task that the event is about: the one woken or moved, not the one that runs.";
        Queue: "The number of the device's queue.";
        Protocol: "The protocol in the frame by its EtherType: 0800 is IPv4, 86dd IPv6, 0806 ARP.";
        Hash: "A number computed from addresses and ports: all packets of one flow have the same.";
        IpId: "The IP header's identification, the same in all fragments of one datagram.";
        FragOff: "The IP header's fragment word: flags in the upper three bits, below them the offset in units of 8 bytes.";
        Proto: "The protocol above IP: 1 is ICMP, 6 TCP, 17 UDP.";
        Saddr: "The IPv4 address of the sender.";
        Daddr: "The IPv4 address of the receiver.";
        Sport: "The port of the sender.";
        Dport: "The port of the receiver.";
        SeqNo: "The TCP sequence number of the segment's first byte.";
        AckNo: "The TCP acknowledgement number: the next byte that the sender of this segment expects.";
        TcpFlags: "The TCP flags: 01 FIN, 02 SYN, 04 RST, 08 PSH, 10 ACK, 40 ECE, 80 CWR.";
        Thread: "The number of the sending thread, read from the payload's marker.";
        Packet: "The number of the packet within its thread, read from the payload's marker.";
        Frames: "How many whole 16-byte payload frames this piece carries.";
        Payload: "The length of the data without headers, in bytes.";
        GsoSize: "The payload of each segment into which this packet is cut or from which it was merged, in bytes.";
        GsoSegs: "How many segments this packet stands for on the wire.";
        Mss: "The largest payload that one TCP segment may carry, in bytes.";
        Off: "Where in the datagram or packet this piece begins, in bytes.";
        End: "Where in the datagram this piece ends, in bytes.";
        Size: "The size that was asked for or used, in bytes.";
        Count: "How many there are or were.";
        CountHigh: "How many times 2^32 there are beside the count, where 32 bits cannot hold it.";
        Copied: "How many bytes went to the process; negative is an error number.";
        Clone: "Whether a copy goes while the original is kept, of a packet's head or of cache lines: 1 yes, 0 no.";
        Packets: "How many packets were taken from the queue at once.";
        Num: "The socket's local port.";
        Rmem: "The memory that received packets hold of the socket's receive buffer, in bytes, with the kernel's overhead.";
        Rcvbuf: "The size of the socket's receive buffer, in bytes.";
        Rqlen: "How many packets the socket's receive queue holds.";
        Backlog: "How many bytes the socket's backlog holds.";
        Owned: "Whether a process holds the socket's lock: 1 yes, 0 no.";
        Wqueued: "The memory that the socket's unsent and unacknowledged data hold, in bytes.";
        Fd: "The file descriptor by which the process names the socket.";
        SndNxt: "The sequence number of the next byte that TCP will send.";
        SndUna: "The sequence number of the oldest byte that is sent and not acknowledged.";
        SndCwnd: "The congestion window: how many segments may be unacknowledged at once.";
        Ssthresh: "The slow-start threshold, in segments: above it the congestion window grows more carefully.";
        SndWnd: "The window the other side has announced, in bytes: how much it can still take.";
        Srtt: "The smoothed round-trip time, in microseconds.";
        RcvWnd: "The window that this side, or the sender of this segment, announces, in bytes: how much it can still take.";
        Ret: "What the function returned; negative is an error number.";
        Rc: "What the driver or the queue answered; 0 is success.";
        Error: "The error number; 0 is none.";
        Reason: "Why the packet was dropped.";
        Depth: "How much the queue holds, in the queue's own unit.";
        Limit: "How much the queue may hold, in the queue's own unit.";
        Lines: "How many cache lines were fetched or moved.";
        FromCpu: "The CPU whose cache the line leaves.";
        Waited: "How long the wait was, in nanoseconds.";
        Cycles: "How long it took, in clock cycles of the CPU.";
        Slice: "What is left of the task's time slice, in microseconds.";
        Cost: "What the probe itself cost, in nanoseconds.";
        Deadline: "When the waiting task's request is due, in microseconds of its CPU's virtual time.";
        Saddrv6: "The source address, IPv6, where it is none of IPv4's.";
        Daddrv6: "The destination address, IPv6, where it is none of IPv4's.";
        Flags: "How the process read or sent (MSG_PEEK is 0x2, MSG_TRUNC 0x20, MSG_DONTWAIT 0x40).";
        Lag: "What the waiting task is owed of its share, in microseconds of virtual time; negative when it has had more.";
        Vruntime: "How much the waiting task has run, by its weight: its virtual runtime, in microseconds. CFS takes the task that has least.";
        Data: "The memory in which the frame lies; the packet (sk_buff) made of it keeps it.";
        ProgId: "The number of the XDP program.";
        Action: "What the XDP program says: ABORTED, DROP, PASS, TX or REDIRECT.";
        FromIfindex: "The number of the device at which the frames came in.";
        ToIfindex: "The number of the device out of which the frames go.";
        MapId: "The number of the map in which the program looked up where to.";
        MapIndex: "The entry of that map.";
        Sent: "How many frames the driver took.";
        Drops: "How many frames it had no room for.";
        Window: "The window as it stands in the TCP header: how much the segment's sender can take, to be scaled as its SYN said.";
        WindowScale: "By how many places the windows of this SYN's sender are to be shifted.";
        SackFrom: "The first byte of a block that the segment's sender has received beyond the acknowledgement number (SACK).";
        IpHeader: "The length of the IP header where it has options or extension headers, in bytes; without them it is 20 of IPv4 and 40 of IPv6.";
        Family: "The address family of the socket: 2 is AF_INET, 10 AF_INET6, which serves IPv4 packets too, 1 AF_UNIX, 16 AF_NETLINK, 17 AF_PACKET.";
        SackTo: "One past the last byte of a block that the segment's sender has received beyond the acknowledgement number (SACK).";
        ResetReason: "Why TCP sends the reset, by the name of the kernel's list of such reasons; no packet need be dropped for it.";
        IcmpType: "The type of the ICMP message: 8 is an echo request, 0 its reply, 3 says that the destination cannot be reached.";
        IcmpCode: "What the type of the ICMP message leaves open: of type 3, code 3 says that nobody listens at the port.";
        Ecn: "What the IP header says of ECN: 0 the transport does not know it, 1 and 2 it does, 3 a congested queue marked it.";
    })
}
