//! The choice of one mechanism out of the list of its kind.

/// Makes `Chosen`, one of the list `ALL` beside it and written as its name, and `WORDS`, the names of all. What stands
/// in the list has the fields `name` and `left_out`.
macro_rules! chosen {
    ($what:literal, $schema:literal, $about:literal) => {
        #[doc = concat!("One ", $what, " of [`ALL`], written as its name.")]
        #[derive(Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct Chosen(usize);

        /// The names of all.
        pub const WORDS: &[&str] = &{
            let mut words = [""; ALL.len()];
            let mut index = 0;
            while index < ALL.len() {
                words[index] = ALL[index].name;
                index += 1;
            }
            words
        };

        /// What each of them leaves out.
        pub const SIMPLIFICATIONS: &[$crate::simplification::Simplification] = &{
            let mut all = [ALL[0].left_out; ALL.len()];
            let mut index = 0;
            while index < ALL.len() {
                all[index] = ALL[index].left_out;
                index += 1;
            }
            all
        };

        impl Chosen {
            /// What is to be known of it.
            pub fn kind(self) -> &'static Kind {
                &ALL[self.0]
            }

            /// The one of this name.
            pub fn named(name: &str) -> Option<Self> {
                ALL.iter().position(|kind| kind.name == name).map(Self)
            }
        }

        impl std::fmt::Debug for Chosen {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.kind().name)
            }
        }

        impl TryFrom<String> for Chosen {
            type Error = String;

            fn try_from(name: String) -> Result<Self, String> {
                Self::named(&name).ok_or_else(|| format!(concat!("there is no ", $what, " {}"), name))
            }
        }

        impl From<Chosen> for String {
            fn from(chosen: Chosen) -> Self {
                chosen.kind().name.to_owned()
            }
        }

        #[cfg(test)]
        impl schemars::JsonSchema for Chosen {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $schema.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let one_of: Vec<_> = WORDS
                    .iter()
                    .map(|name| {
                        let title = ringside::english::message(&format!("setting_choice_{name}"));
                        serde_json::json!({ "description": title, "type": "string", "const": name })
                    })
                    .collect();
                schemars::json_schema!({ "description": $about, "oneOf": one_of })
            }
        }
    };
}

pub(crate) use chosen;
