//! Whether GRO is switched on, as far as a run tells. A kernel calls `napi_gro_receive` for each frame, also where the
//! device has GRO switched off, and no event tells of the device's features (net/core/dev.c: netif_elide_gro, v6.1).

use crate::kernel::{Field, Origin, Probe};
use crate::run::Run;

/// `GRO_MERGED`, `GRO_MERGED_FREE` and `GRO_HELD`, `enum gro_result`, include/linux/netdevice.h (v6.1): what becomes of a
/// frame where GRO is off is none of them.
const BY_GRO: std::ops::RangeInclusive<u32> = 0..=2;

/// Whether the run shows that GRO is on: it holds or merges a frame. Where it is off, a simulation does not call it.
pub fn is_seen(run: &Run) -> bool {
    let is_simulated = run.origin == Origin::Simulated;
    run.indices().any(|index| match run.probe[index.at()] {
        Probe::SkbGroReceive => true,
        Probe::NapiGroReceive => is_simulated,
        Probe::NapiGroReceiveExit | Probe::NapiGroFragsExit => {
            let result = run.field(index, Field::Ret);
            result.is_some_and(|result| BY_GRO.contains(&result))
        }
        _ => false,
    })
}
