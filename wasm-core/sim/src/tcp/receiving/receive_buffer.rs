//! The memory of a receive queue: what its packets are charged, how much of the buffer is left for the window,
//! and how the buffer grows when the queue exceeds it.
//!
//! Facts: `include/net/tcp.h: tcp_win_from_space, tcp_space`, `net/ipv4/tcp_input.c: tcp_measure_rcv_mss,
//! tcp_try_rmem_schedule, tcp_clamp_window, tcp_rcvbuf_grow` (v6.18).

use crate::tcp::Parameters;

/// Bytes charged for a packet beside its payload: `SKB_TRUESIZE` (`include/linux/skbuff.h`, v6.1) of a head
/// with `MAX_TCP_HEADER` (`include/net/tcp.h`) on 64-bit machines: 256 of `struct sk_buff`, 320 of `struct
/// skb_shared_info` and 320 of headers.
pub(in crate::tcp) const PACKET_OVERHEAD: u64 = 896;
/// The unit of the window's share of memory (`1 << TCP_RMEM_TO_WIN_SCALE`).
const WHOLE: u64 = 256;

/// The memory of a receive queue and the window that it allows. All amounts are in bytes.
#[derive(Debug, Clone)]
pub(in crate::tcp) struct ReceiveBuffer {
    /// The largest window that may be advertised (`window_clamp`).
    clamp: u32,
    /// Bytes already read of a packet that stays queued because it has more.
    read_in_part: u32,
    /// Accounting by truesize; `None`: only payload counts.
    truesize: Option<Truesize>,
}

/// Accounting of a buffer by the memory of packets.
#[derive(Debug, Clone)]
struct Truesize {
    /// Size of the buffer (`sk_rcvbuf`).
    size: u64,
    /// Size up to which the buffer may grow (`tcp_rmem[2]`); 0: the program has set it.
    most: u64,
    /// Memory charged to the queue (`sk_rmem_alloc`).
    memory: u64,
    /// Bytes of window for 256 of memory (`scaling_ratio`).
    ratio: u64,
}

impl ReceiveBuffer {
    pub fn new(parameters: &Parameters) -> Self {
        let clamp = parameters.largest_window().max(1);
        let permille = u64::from(parameters.window_permille.max(1));
        Self {
            clamp,
            read_in_part: 0,
            truesize: parameters.charges_truesize.then(|| Truesize {
                size: u64::from(clamp) * 1000 / permille,
                most: u64::from(parameters.receive_buffer_most_bytes),
                memory: 0,
                ratio: (permille * WHOLE / 1000).max(1),
            }),
        }
    }

    /// The largest window that may be advertised, in bytes.
    pub fn clamp(&self) -> u32 {
        self.clamp
    }

    /// The window in bytes that the free memory allows, with `queued` bytes of payload in the queue
    /// (`tcp_space`). A packet's memory is uncharged when all of it has been read (`sock_rfree`).
    pub fn free(&self, queued: u32) -> u32 {
        match &self.truesize {
            Some(counted) => counted.window_from(counted.size.saturating_sub(counted.memory)),
            None => self
                .clamp
                .saturating_sub(queued)
                .saturating_sub(self.read_in_part),
        }
    }

    /// The window in bytes that an empty buffer would allow (`tcp_full_space`).
    pub fn full(&self) -> u32 {
        let counted = self.truesize.as_ref();
        counted.map_or(self.clamp, |counted| counted.window_from(counted.size))
    }

    /// Charges a packet to the queue. If the queue already exceeds the buffer, the buffer grows to its size,
    /// unless the program has set it (`tcp_clamp_window`).
    pub fn charge(&mut self, payload: u32) -> Charge {
        let Some(counted) = &mut self.truesize else {
            return Charge::Fits;
        };
        let is_outgrown = counted.memory > counted.size;
        if is_outgrown {
            counted.size = counted.size.max(counted.memory.min(counted.most));
        }
        let charge = match (is_outgrown, counted.memory > counted.size) {
            (false, _) => Charge::Fits,
            (true, false) => Charge::Grows,
            (true, true) => Charge::Exceeds,
        };
        counted.memory += memory_of(payload);
        charge
    }

    /// The last packet was merged into the one before it: its head is freed (`skb_try_coalesce`).
    pub fn coalesce(&mut self) {
        if let Some(counted) = &mut self.truesize {
            counted.memory = counted.memory.saturating_sub(PACKET_OVERHEAD);
        }
    }

    /// `bytes` bytes were read; `read_in_part` bytes were read of a packet that is still queued. `is_last`: the
    /// queue is empty.
    pub fn read(&mut self, bytes: u32, read_in_part: u32, is_last: bool) {
        let before = std::mem::replace(&mut self.read_in_part, read_in_part);
        let Some(counted) = self.truesize.as_mut().filter(|_| read_in_part == 0) else {
            return;
        };
        counted.memory = if is_last {
            0
        } else {
            counted.memory.saturating_sub(memory_of(before + bytes))
        };
    }

    /// Takes the length of the longest packet so far: its ratio of payload to memory becomes that of window to
    /// buffer.
    pub fn measure(&mut self, payload: u32) {
        let Some(counted) = &mut self.truesize else {
            return;
        };
        let ratio = (u64::from(payload) * WHOLE / memory_of(payload)).max(1);
        if ratio != counted.ratio {
            counted.ratio = ratio;
            self.clamp = counted.window_from(counted.size);
        }
    }

    /// Auto-tuning asks for a buffer that allows `window` bytes of window.
    pub fn grow(&mut self, window: u32) {
        let Some(counted) = &mut self.truesize else {
            self.clamp = self.clamp.max(window);
            return;
        };
        let space = (u64::from(window) * WHOLE / counted.ratio).min(counted.most);
        if space > counted.size {
            counted.size = space;
            self.clamp = counted.window_from(space);
        }
    }
}

/// The outcome of charging a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tcp) enum Charge {
    /// The queue did not exceed the buffer.
    Fits,
    /// The queue exceeded the buffer, which has grown.
    Grows,
    /// The queue exceeds the buffer, which may not grow.
    Exceeds,
}

impl Truesize {
    /// `tcp_win_from_space`.
    fn window_from(&self, space: u64) -> u32 {
        (space * self.ratio / WHOLE).min(u64::from(u32::MAX)) as u32
    }
}

/// The bytes charged for a packet (`truesize`).
fn memory_of(payload: u32) -> u64 {
    u64::from(payload) + PACKET_OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer() -> ReceiveBuffer {
        ReceiveBuffer::new(&Parameters {
            charges_truesize: true,
            receive_buffer_bytes: 131_072,
            receive_buffer_most_bytes: 33_554_432,
            ..crate::tcp::tests::parameters()
        })
    }

    fn counted(buffer: &ReceiveBuffer) -> &Truesize {
        buffer.truesize.as_ref().unwrap()
    }

    /// Segments of 1 KiB that are not merged are charged nearly twice their payload, so that they fill the
    /// buffer before they fill the window: the recorded kernel's buffer grew from 634,221 to 1,437,120 bytes
    /// while its window was 631,743 (`tcp_rcvbuf_grow`, a stream of writes of 1 KiB without Nagle's algorithm).
    #[test]
    fn a_buffer_follows_a_queue_of_small_packets() {
        let mut buffer = buffer();
        buffer.measure(65_483);
        buffer.grow(631_743);
        let (window, size) = (buffer.clamp(), counted(&buffer).size);
        let met: Vec<Charge> = (0..window / 1024).map(|_| buffer.charge(1024)).collect();
        assert_eq!((met[0], met[met.len() - 1]), (Charge::Fits, Charge::Grows));
        assert!(counted(&buffer).size > size && counted(&buffer).size < 2 * size);
        assert_eq!(buffer.clamp(), window);
    }

    /// Merged into one packet, segments share one head.
    #[test]
    fn what_becomes_one_packet_leaves_room() {
        let mut buffer = buffer();
        let free = buffer.free(0);
        buffer.charge(1024);
        for _ in 1..10 {
            buffer.charge(1024);
            buffer.coalesce();
        }
        assert_eq!(counted(&buffer).memory, 10 * 1024 + PACKET_OVERHEAD);
        buffer.charge(100);
        buffer.read(1024, 1024, false);
        assert_eq!(counted(&buffer).memory, 10_340 + 2 * PACKET_OVERHEAD);
        buffer.read(9 * 1024, 0, false);
        assert_eq!(counted(&buffer).memory, 100 + PACKET_OVERHEAD);
        buffer.read(100, 0, true);
        assert_eq!(buffer.free(0), free);
    }

    /// A size that the program has set does not change.
    #[test]
    fn a_buffer_that_was_set_does_not_grow() {
        let mut buffer = buffer();
        buffer.truesize.as_mut().unwrap().most = 0;
        let size = counted(&buffer).size;
        while buffer.charge(1024) == Charge::Fits {}
        assert_eq!(buffer.charge(1024), Charge::Exceeds);
        buffer.grow(1 << 20);
        assert_eq!((counted(&buffer).size, buffer.free(0)), (size, 0));
    }

    /// Half of the buffer is window until the first packet gives a ratio: `TCP_DEFAULT_SCALING_RATIO`.
    #[test]
    fn the_window_is_the_share_of_payload_in_a_packet() {
        let mut buffer = buffer();
        assert_eq!((buffer.full(), buffer.clamp()), (65_536, 65_536));
        buffer.measure(65_483);
        assert_eq!((buffer.full(), buffer.clamp()), (129_024, 129_024));
    }
}
