//! One macro for every closed list of words: an enum of one byte whose variants
//! carry the spelling that the kernel, an RFC or our trace format gives them.

/// Declares a closed enum with a spelling for each variant.
///
/// It generates `ALL` (declaration order), `name` (the spelling), `from_name`,
/// `from_index` and `Display`. The index of a variant is its place in `ALL`; it
/// crosses to the page in columns, so the page reads names by index from the
/// glossary and never has a list of its own.
#[macro_export]
macro_rules! vocabulary {
    ($(#[$meta:meta])* pub enum $Name:ident { $($(#[$vmeta:meta])* $Variant:ident = $spelling:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $Name {
            $($(#[$vmeta])* #[doc = concat!("`", $spelling, "`")] $Variant,)+
        }

        impl $Name {
            /// Every variant, in declaration order; a variant's index is its place here.
            pub const ALL: &'static [Self] = &[$(Self::$Variant,)+];

            /// The spelling on screen, in trace files and in the glossary.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Variant => $spelling,)+ }
            }

            /// The variant with this exact spelling. Linear: for set-up, not for every line.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.name() == name)
            }

            /// The variant at `index` of `ALL`, as it stands in a column.
            pub fn from_index(index: u8) -> Option<Self> {
                Self::ALL.get(usize::from(index)).copied()
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.name())
            }
        }
    };
}
