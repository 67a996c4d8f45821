//! The buffers that a scenario gives its sockets, as the kernel takes them.

use super::kernel::Kernel;
use super::settings::Settings;

impl Settings {
    /// `sk_rcvbuf` in bytes of memory where the program set it: `SO_RCVBUF`, at most `rmem_max`,
    /// doubled, "to allow for bookkeeping overhead" (`net/core/sock.c: __sock_set_rcvbuf`, v6.1;
    /// `sock_setsockopt` since v2.2).
    pub fn receive_buffer(&self, kernel: &Kernel) -> Option<u32> {
        self.given(self.receive_buffer_bytes, kernel)
    }

    /// `sk_sndbuf` in bytes of memory where the program set it: `SO_SNDBUF`, at most `wmem_max`,
    /// doubled likewise.
    pub fn send_buffer(&self, kernel: &Kernel) -> Option<u32> {
        self.given(self.send_buffer_bytes, kernel)
    }

    fn given(&self, asked: Option<u32>, kernel: &Kernel) -> Option<u32> {
        let most = self
            .largest_buffer_bytes
            .unwrap_or(kernel.largest_buffer_bytes);
        asked.map(|asked| asked.min(most).saturating_mul(2))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::config::catalogue::Catalogue;

    #[test]
    fn a_program_gets_no_larger_buffers_than_its_kernel_or_the_scenario_allows() {
        let catalogue = Catalogue::shipped().unwrap();
        let of = |kernel: &str, settings| {
            let settings: Settings = serde_json::from_value(settings).unwrap();
            let kernel = catalogue.kernel(kernel).unwrap();
            (
                settings.send_buffer(kernel),
                settings.receive_buffer(kernel),
            )
        };
        let asked = json!({ "send_buffer_bytes": 1_000_000, "receive_buffer_bytes": 200_000 });
        assert_eq!(of("6.1", asked.clone()), (Some(425_984), Some(400_000)));
        assert_eq!(of("2.6.9", asked.clone()), (Some(262_142), Some(262_142)));
        assert_eq!(of("6.18", asked.clone()), (Some(2_000_000), Some(400_000)));
        let mut raised = asked;
        raised["largest_buffer_bytes"] = json!(1_000_000);
        assert_eq!(of("2.6.9", raised), (Some(2_000_000), Some(400_000)));
        assert_eq!(of("6.1", json!({})), (None, None));
    }
}
