//! Which files the papers are.

#[cfg(not(target_family = "wasm"))]
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, Some(include_str!(concat!("../../../data/papers/", $name, ".json"))))),*]
    };
}

#[cfg(target_family = "wasm")]
macro_rules! files {
    ($($name:literal),* $(,)?) => { &[$(($name, None)),*] };
}

/// Files of the folder by name, each with its text where that is embedded.
pub type Files = &'static [(&'static str, Option<&'static str>)];

pub const PUBLISHED: Files = files!("published", "own");
/// In the order of the board.
pub const STUDIES: Files = files!(
    "bhattacharya-apte-2006",
    "anand-hartner-2002",
    "goettingen-2005",
    "bryant-2000",
    "wu-crawford-2006",
    "own-recordings",
    "own-host",
    "own-xeon",
    "own-zen3",
    "own-milan",
    "own-drawn",
    "own-redrawn",
    "own-packets",
);
