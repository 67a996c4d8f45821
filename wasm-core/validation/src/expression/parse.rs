//! The text of an expression to its tree; `super` has the grammar.

use super::{Expression, Function, Operator};
use crate::quantity::Quantity;

/// Reads a whole text.
pub(super) fn parse(text: &str) -> Result<Expression, String> {
    let mut reader = Reader { text, at: 0 };
    let expression = reader.comparison()?;
    if reader.peek().is_some() {
        return Err(reader.error("an operator"));
    }
    Ok(expression)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self, wanted: &str) -> String {
        format!("{:?}: {wanted} is missing at {}", self.text, self.at)
    }

    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed.chars().next()
    }

    fn take(&mut self, wanted: &str) -> bool {
        let is_there = self.peek().is_some() && self.text[self.at..].starts_with(wanted);
        if is_there {
            self.at += wanted.len();
        }
        is_there
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        if self.take(wanted) {
            Ok(())
        } else {
            Err(self.error(wanted))
        }
    }

    fn comparison(&mut self) -> Result<Expression, String> {
        let left = self.sum()?;
        let operators = [
            ("==", Operator::Equal),
            ("<=", Operator::AtMost),
            (">=", Operator::AtLeast),
            ("<", Operator::Below),
            (">", Operator::Above),
        ];
        for (sign, operator) in operators {
            if self.take(sign) {
                let right = self.sum()?;
                return Ok(Expression::Pair(operator, left.into(), right.into()));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut left = self.product()?;
        loop {
            let operator = if self.take("+") {
                Operator::Plus
            } else if self.take("-") {
                Operator::Minus
            } else {
                return Ok(left);
            };
            left = Expression::Pair(operator, left.into(), self.product()?.into());
        }
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut left = self.factor()?;
        loop {
            let operator = if self.take("*") {
                Operator::Times
            } else if self.take("/") {
                Operator::Over
            } else {
                return Ok(left);
            };
            left = Expression::Pair(operator, left.into(), self.factor()?.into());
        }
    }

    fn factor(&mut self) -> Result<Expression, String> {
        match self.peek() {
            Some('(') => {
                self.expect("(")?;
                let inner = self.comparison()?;
                self.expect(")")?;
                Ok(inner)
            }
            Some('-') => {
                self.expect("-")?;
                let zero = Expression::Number(0.0);
                Ok(Expression::Pair(
                    Operator::Minus,
                    zero.into(),
                    self.factor()?.into(),
                ))
            }
            Some(first) if first.is_ascii_digit() => self.number(),
            Some(first) if first.is_ascii_lowercase() => self.named(),
            _ => Err(self.error("a number or a name")),
        }
    }

    fn number(&mut self) -> Result<Expression, String> {
        let word = self.letters(|letter| letter.is_ascii_digit() || letter == '.' || letter == 'e');
        let number = word.parse().map_err(|_| self.error("a number"))?;
        Ok(Expression::Number(number))
    }

    fn named(&mut self) -> Result<Expression, String> {
        let name = self.letters(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let function = match name.as_str() {
            "max" => Some(Function::Max),
            "min" => Some(Function::Min),
            "mean" => Some(Function::Mean),
            "round" => Some(Function::Round),
            "linearity" => Some(Function::Linearity),
            _ => None,
        };
        if let Some(function) = function {
            self.expect("(")?;
            let mut parts = vec![self.comparison()?];
            while self.take(",") {
                parts.push(self.comparison()?);
            }
            self.expect(")")?;
            return Ok(Expression::Of(function, parts));
        }
        let words = self.words()?;
        if name == "cell" {
            return match &words[..] {
                [place] => Ok(Expression::Cell(place.clone())),
                _ => Err(self.error("one place")),
            };
        }
        let quantity = Quantity::from_name(&name)
            .ok_or_else(|| format!("{:?}: there is no quantity {name}", self.text))?;
        let run = if self.take("@") {
            Some(self.word()?)
        } else {
            None
        };
        Ok(Expression::Measured {
            quantity,
            words,
            run,
        })
    }

    fn words(&mut self) -> Result<Vec<String>, String> {
        if !self.take("(") {
            return Ok(Vec::new());
        }
        let mut words = vec![self.word()?];
        while self.take(",") {
            words.push(self.word()?);
        }
        self.expect(")")?;
        Ok(words)
    }

    fn word(&mut self) -> Result<String, String> {
        if self.take("'") {
            let rest = &self.text[self.at..];
            let end = rest.find('\'').ok_or_else(|| self.error("'"))?;
            self.at += end + 1;
            return Ok(rest[..end].to_owned());
        }
        self.peek();
        let word = self.letters(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter));
        if word.is_empty() {
            return Err(self.error("a word"));
        }
        Ok(word)
    }

    fn letters(&mut self, is_part: impl Fn(char) -> bool) -> String {
        let rest = &self.text[self.at..];
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        self.at += end;
        rest[..end].to_owned()
    }
}
