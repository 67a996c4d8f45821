//! Any run comes back from its bytes, and a part of them is no run.

use proptest::prelude::*;

use crate::kernel::EventIdx;
use crate::replay::tests::any_run::any_run;
use crate::run::Run;

/// All that a run says of its events.
fn told(run: &Run) -> String {
    let all = (0..run.len() as u32).map(EventIdx);
    let events: Vec<_> = all
        .map(|index| (run.event(index), run.fields(index).collect::<Vec<_>>()))
        .collect();
    let texts: Vec<&str> = run.names.iter().collect();
    let addresses: Vec<u64> = run.addresses.iter().collect();
    let (metadata, comm) = (&run.metadata, &run.comm);
    format!("{events:?} {texts:?} {addresses:?} {metadata:?} {comm:?}")
}

proptest! {
    #[test]
    fn a_run_comes_back_from_its_bytes(run in any_run(), cut in any::<prop::sample::Index>()) {
        let (before, fingerprint) = (told(&run), run.fingerprint());
        let bytes = run.into_bytes();
        prop_assert!(Run::from_bytes(&bytes[..cut.index(bytes.len())]).is_none());
        let back = Run::from_bytes(&bytes).unwrap();
        prop_assert_eq!((told(&back), back.fingerprint()), (before, fingerprint));
    }
}
