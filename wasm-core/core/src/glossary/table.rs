//! How the glossary's tables are written: one word, its sentence, the place in the
//! kernel and, where it is not the usual one, the version that place was read in.
//!
//! The macros only save ink. `explain!` is one exhaustive `match` over a short
//! list; `entries!` and `by_group!` are the same for a list too long for one file:
//! constants that carry the variant's own name, and the `match` that reads them, so
//! a word cannot be left out and cannot be given another word's sentence.

use super::Entry;

/// The kernel that the glossary was read in unless an entry names another.
const READ_IN: &str = "v6.12";

/// An entry. `version` holds the version that differs from [`READ_IN`], if one does;
/// where there is no kernel function there is no version either.
pub(super) const fn entry(
    sentence: &'static str,
    function: &'static str,
    version: &[&'static str],
) -> Entry {
    let version = match version {
        [version, ..] => *version,
        [] if function.is_empty() => "",
        [] => READ_IN,
    };
    Entry {
        sentence,
        function,
        version,
    }
}

/// `Variant: "Sentence.", "file: function", "version";` with the version and the
/// function optional, as one exhaustive `match`.
macro_rules! explain {
    ($word:expr, $Enum:ident { $($Variant:ident: $sentence:literal $(, $function:literal $(, $version:literal)?)?;)+ }) => {
        match $word {
            $($Enum::$Variant => $crate::glossary::table::entry($sentence, concat!($($function)?), &[$($($version)?)?]),)+
        }
    };
}

/// The same lines as constants, for a group of a list that has a file for each group.
macro_rules! entries {
    ($($Variant:ident: $sentence:literal $(, $function:literal $(, $version:literal)?)?;)+) => {
        $(
            #[doc = $sentence]
            #[allow(non_upper_case_globals, reason = "named like the variant it explains")]
            pub const $Variant: $crate::glossary::Entry =
                $crate::glossary::table::entry($sentence, concat!($($function)?), &[$($($version)?)?]);
        )+
    };
}

/// The exhaustive `match` over the constants of all groups.
macro_rules! by_group {
    ($word:expr, $Enum:ident { $($group:ident: $($Variant:ident)+;)+ }) => {
        match $word { $($($Enum::$Variant => $group::$Variant,)+)+ }
    };
}
