//! Splits a script's text into tokens, each with its line.
//!
//! Comments are `//`, `#` and `/* */`. Code between `%{` and `}%`, shell commands between backquotes
//! and options (`--name=value`) are one token each.

use super::Refused;

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// A number as it is written: `10`, `.1`, `0x1f`.
    Number(String),
    /// Letters, digits and underscores.
    Word(String),
    /// A text in double quotes.
    Text(String),
    /// Python code with assertions.
    Code(String),
    /// Shell commands.
    Shell(String),
    /// An option of packetdrill's command line.
    Switch(String),
    /// `...`
    Dots,
    /// Any other character.
    Mark(char),
}

/// Splits a text into tokens, each with its line.
///
/// # Errors
/// An unterminated comment, text, code or command.
pub fn tokens(text: &str) -> Result<Vec<(u32, Token)>, Refused> {
    let mut lexer = Lexer {
        rest: text,
        line: 1,
        is_line_start: true,
    };
    let mut found = Vec::new();
    while let Some(token) = lexer.next()? {
        found.push(token);
    }
    Ok(found)
}

struct Lexer<'a> {
    rest: &'a str,
    line: u32,
    is_line_start: bool,
}

impl Lexer<'_> {
    fn take(&mut self, bytes: usize) {
        self.line += self.rest[..bytes].matches('\n').count() as u32;
        self.rest = &self.rest[bytes..];
    }

    /// Consumes everything up to and including `end`.
    fn up_to(&mut self, skip: usize, end: &str, what: &str) -> Result<String, Refused> {
        let line = self.line;
        let Some(at) = self.rest[skip..].find(end) else {
            return Err(Refused::new(line, format!("{what} does not end")));
        };
        let inside = self.rest[skip..skip + at].to_owned();
        self.take(skip + at + end.len());
        Ok(inside)
    }

    fn skip_blanks(&mut self) -> Result<(), Refused> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            if self.rest[..blanks].contains('\n') {
                self.is_line_start = true;
            }
            self.take(blanks);
            if self.rest.starts_with("//") || self.rest.starts_with('#') {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.take(end);
            } else if self.rest.starts_with("/*") {
                self.up_to(2, "*/", "a comment")?;
            } else {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<Option<(u32, Token)>, Refused> {
        self.skip_blanks()?;
        let line = self.line;
        let is_line_start = std::mem::replace(&mut self.is_line_start, false);
        let Some(first) = self.rest.chars().next() else {
            return Ok(None);
        };
        let token = if self.rest.starts_with("...") {
            self.take(3);
            Token::Dots
        } else if self.rest.starts_with("%{") {
            Token::Code(self.up_to(2, "}%", "code")?)
        } else if first == '`' {
            Token::Shell(self.up_to(1, "`", "a command")?)
        } else if first == '"' {
            Token::Text(self.up_to(1, "\"", "a text")?)
        } else if is_line_start && self.rest.starts_with("--") {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            let option = self.rest[..end].trim().to_owned();
            self.take(end);
            Token::Switch(option)
        } else if let Some(bytes) = number(self.rest) {
            let text = self.rest[..bytes].to_owned();
            self.take(bytes);
            Token::Number(text)
        } else if first.is_ascii_alphabetic() || first == '_' {
            let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = self.rest.find(|c| !is_inside(c)).unwrap_or(self.rest.len());
            let word = self.rest[..end].to_owned();
            self.take(end);
            Token::Word(word)
        } else {
            self.take(first.len_utf8());
            Token::Mark(first)
        };
        Ok(Some((line, token)))
    }
}

/// Length in bytes of the number with which a text begins. A point belongs to it only before a digit.
fn number(text: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    if let Some(hex) = text.strip_prefix("0x") {
        let count = hex.bytes().take_while(u8::is_ascii_hexdigit).count();
        return (count > 0).then_some(2 + count);
    }
    let whole = digits(text);
    let part = text[whole..].strip_prefix('.').map_or(0, digits);
    match (whole, part) {
        (0, 0) => None,
        (whole, 0) => Some(whole),
        (whole, part) => Some(whole + 1 + part),
    }
}
