//! What must hold of every congestion control.

use super::*;

/// A kernel that has them all.
fn all() -> CongestionControls {
    serde_json::from_str(include_str!("tests/all.json")).unwrap()
}

#[test]
fn names_are_those_of_the_list_and_none_is_there_twice() {
    let names: Vec<_> = all().names().collect();
    let listed: Vec<_> = ALL.iter().map(|kind| kind.name).collect();
    assert_eq!(names, listed);
    let mut once = names.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), names.len());
    assert_eq!(all().check(), Ok(()));
}

#[test]
fn a_kernel_without_parameters_has_reno_alone() {
    let none = CongestionControls::default();
    assert_eq!(none.names().collect::<Vec<_>>(), ["reno"]);
    let cubic = Chosen::named("cubic").unwrap();
    assert_eq!(format!("{:?}", none.start(cubic)), "Reno");
}
