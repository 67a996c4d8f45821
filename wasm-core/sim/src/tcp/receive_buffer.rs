//! The memory of a receive queue: what its packets take, how much of the buffer is left for a window, and the buffer
//! that follows a queue which outgrows it.
//!
//! Facts: `include/net/tcp.h: tcp_win_from_space, tcp_space`, `net/ipv4/tcp_input.c: tcp_measure_rcv_mss,
//! tcp_try_rmem_schedule, tcp_clamp_window, tcp_rcvbuf_grow` (v6.18).

use super::TcpConfig;

/// Bytes of memory beside a packet's payload: `SKB_TRUESIZE` (`include/linux/skbuff.h`, v6.1) of a head with
/// `MAX_TCP_HEADER` (`include/net/tcp.h`) on 64-bit machines: 256 of `struct sk_buff`, 320 of
/// `struct skb_shared_info` and 320 of headers.
pub(super) const PACKET_OVERHEAD: u64 = 896;
/// The unit of the part that is window (`1 << TCP_RMEM_TO_WIN_SCALE`).
const WHOLE: u64 = 256;

/// Of how wide a window a receiver has room. Each amount is in bytes.
#[derive(Debug, Clone)]
pub(super) struct ReceiveBuffer {
    /// The widest window that may be offered (`window_clamp`).
    clamp: u32,
    /// Bytes that were read of a packet which is still there for the rest of it.
    read_in_part: u32,
    /// What packets take; none: their payload is all that counts.
    truesize: Option<Truesize>,
}

/// A buffer that counts the memory of packets.
#[derive(Debug, Clone)]
struct Truesize {
    /// How much memory the queue may have (`sk_rcvbuf`).
    size: u64,
    /// Up to which that may grow (`tcp_rmem[2]`); 0: the program has set it.
    most: u64,
    /// How much the queue has (`sk_rmem_alloc`).
    memory: u64,
    /// Bytes of window in 256 of memory (`scaling_ratio`).
    ratio: u64,
}

impl ReceiveBuffer {
    pub fn new(config: &TcpConfig) -> Self {
        let clamp = config.receive_buffer.max(1);
        let permille = u64::from(config.window_permille.max(1));
        Self {
            clamp,
            read_in_part: 0,
            truesize: config.charges_truesize.then(|| Truesize {
                size: u64::from(clamp) * 1000 / permille,
                most: u64::from(config.receive_buffer_most),
                memory: 0,
                ratio: (permille * WHOLE / 1000).max(1),
            }),
        }
    }

    /// The widest window that may be offered.
    pub fn clamp(&self) -> u32 {
        self.clamp
    }

    /// The window for which there is room now, with so many bytes in the queue (`tcp_space`): a packet gives its
    /// memory back when all of it was read (`sock_rfree`).
    pub fn free(&self, queued: u32) -> u32 {
        match &self.truesize {
            Some(counted) => counted.window_from(counted.size.saturating_sub(counted.memory)),
            None => self
                .clamp
                .saturating_sub(queued)
                .saturating_sub(self.read_in_part),
        }
    }

    /// The window for which there is room in an empty buffer (`tcp_full_space`).
    pub fn full(&self) -> u32 {
        let counted = self.truesize.as_ref();
        counted.map_or(self.clamp, |counted| counted.window_from(counted.size))
    }

    /// A packet comes into the queue. Where that has outgrown the buffer, the buffer is made as large as the queue,
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

    /// The packet that came last is a part of the one before it: its head is given back (`skb_try_coalesce`).
    pub fn coalesce(&mut self) {
        if let Some(counted) = &mut self.truesize {
            counted.memory = counted.memory.saturating_sub(PACKET_OVERHEAD);
        }
    }

    /// So many bytes were read, and so many of a packet of which more is to be read are still there; `is_last`:
    /// nothing else is in the queue.
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

    /// A packet came that is longer than those before: its share of payload is that of window in the buffer.
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

    /// The reader's pace asks for so wide a window.
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

/// What a packet meets that comes into the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charge {
    /// A buffer with room.
    Fits,
    /// One that was outgrown and is larger now.
    Grows,
    /// One that was outgrown and may not grow.
    Exceeds,
}

impl Truesize {
    /// `tcp_win_from_space`.
    fn window_from(&self, space: u64) -> u32 {
        (space * self.ratio / WHOLE).min(u64::from(u32::MAX)) as u32
    }
}

/// The memory of a packet (`truesize`).
fn memory_of(payload: u32) -> u64 {
    u64::from(payload) + PACKET_OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer() -> ReceiveBuffer {
        ReceiveBuffer::new(&TcpConfig {
            charges_truesize: true,
            receive_buffer: 65_536,
            receive_buffer_most: 33_554_432,
            ..super::super::tests::config()
        })
    }

    fn counted(buffer: &ReceiveBuffer) -> &Truesize {
        buffer.truesize.as_ref().unwrap()
    }

    /// Segments of 1 KiB that stay apart take nearly twice their payload, so that they fill a buffer before their
    /// bytes fill its window: the recorded kernel's buffer grew from 634,221 to 1,437,120 bytes while its window was
    /// 631,743 (`tcp_rcvbuf_grow`, a stream of writes of 1 KiB without Nagle's algorithm).
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

    /// As parts of one packet they have one head.
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

    /// What a program has set stays.
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

    /// Half of the buffer is window until a packet tells more: `TCP_DEFAULT_SCALING_RATIO`.
    #[test]
    fn the_window_is_the_share_of_payload_in_a_packet() {
        let mut buffer = buffer();
        assert_eq!((buffer.full(), buffer.clamp()), (65_536, 65_536));
        buffer.measure(65_483);
        assert_eq!((buffer.full(), buffer.clamp()), (129_024, 129_024));
    }
}
