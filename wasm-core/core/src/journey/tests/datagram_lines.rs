//! What a host records of datagrams that come and are read, line by line: with tracepoints alone, kernel 6.18.

use std::fmt::Write as _;

/// The lines so far, ten microseconds apart.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) text: String,
    micros: u32,
}

impl Lines {
    /// The only CPU that receives records an event in its softirq.
    pub(super) fn received(&mut self, event: &str) {
        self.line("ksoftirqd/0-15 [000] ..s1.", event);
    }

    /// A frame comes from the NIC, of so many bytes from the IP header on.
    pub(super) fn frame(&mut self, skb: u32, len: u32) {
        self.received(&format!(
            "netif_receive_skb: dev=eth0 skbaddr={skb:016x} len={len}"
        ));
    }

    /// A datagram is in a socket's queue.
    pub(super) fn queued(&mut self) {
        self.received("sk_data_ready: family=2 protocol=17 func=sock_def_readable");
    }

    /// A task copies from what is at the address.
    pub(super) fn copied(&mut self, reader: u32, skb: u32, bytes: u32) {
        self.of_task(
            reader,
            &format!("skb_copy_datagram_iovec: skbaddr={skb:016x} len={bytes}"),
        );
    }

    /// A task has read so many bytes from its own socket.
    pub(super) fn read(&mut self, reader: u32, bytes: u32) {
        self.of_task(reader, &format!("sock_recv_length: sk address = 00000000aaaa{reader:04x}, family = AF_INET protocol = 0x11, length = {bytes}, error = 0, flags = 0x0"));
    }

    fn of_task(&mut self, reader: u32, event: &str) {
        self.line(&format!("r{reader}-{reader} [001] ....."), event);
    }

    fn line(&mut self, task: &str, event: &str) {
        self.micros += 10;
        let Self { text, micros } = self;
        let _ = writeln!(text, "{task} 13.{micros:06}: {event}");
    }
}
