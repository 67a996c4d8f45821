//! The buffers that a scenario gives its sockets, as the kernel takes them.

use super::settings::Settings;

impl Settings {
    /// `sk_rcvbuf` in bytes of memory where the program set it: `SO_RCVBUF` doubled, "to
    /// allow for bookkeeping overhead" (`net/core/sock.c: __sock_set_rcvbuf`, v6.1;
    /// `sock_setsockopt` since v2.2).
    pub fn receive_buffer(&self) -> Option<u32> {
        self.receive_buffer_bytes
            .map(|asked| asked.saturating_mul(2))
    }

    /// `sk_sndbuf` in bytes of memory where the program set it: `SO_SNDBUF`, doubled likewise.
    pub fn send_buffer(&self) -> Option<u32> {
        self.send_buffer_bytes.map(|asked| asked.saturating_mul(2))
    }
}
