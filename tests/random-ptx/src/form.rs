//! Forms of instructions: a text with placeholders, and the registers that these stand for.
//!
//! Placeholders are single capital letters: `D` and `Q` are written, `A`, `B`, `C`, `E` and `P` are read; `#` is a number from 0 to 255.

/// Registers of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// 16 bits.
    Half,
    /// 32 bits.
    Word,
    /// 64 bits.
    Long,
    Predicate,
}

impl Class {
    pub(crate) const ALL: [Class; 4] = [Class::Half, Class::Word, Class::Long, Class::Predicate];

    /// The beginning of the names of such registers.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Class::Half => "%h",
            Class::Word => "%w",
            Class::Long => "%l",
            Class::Predicate => "%p",
        }
    }

    /// The untyped type of the register.
    pub(crate) fn ty(self) -> &'static str {
        match self {
            Class::Half => "b16",
            Class::Word => "b32",
            Class::Long => "b64",
            Class::Predicate => "pred",
        }
    }

    fn of_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'h' => Class::Half,
            'w' => Class::Word,
            'l' => Class::Long,
            'p' => Class::Predicate,
            _ => return None,
        })
    }
}

/// When an instruction may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    /// Anywhere.
    Everywhere,
    /// Where all lanes of the warp are.
    Converged,
    /// In programs of this form only.
    Alone,
}

/// A placeholder with its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) letter: char,
    pub(crate) class: Class,
}

impl Operand {
    pub(crate) fn is_written(self) -> bool {
        matches!(self.letter, 'D' | 'Q')
    }
}

/// A form of an instruction.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) text: String,
    pub(crate) operands: Vec<Operand>,
    pub(crate) place: Where,
}

impl Form {
    /// `operands` is like `Dw Aw Bl`: letters with the kinds of their registers.
    pub(crate) fn new(text: impl Into<String>, operands: &str) -> Self {
        let operand = |word: &str| {
            let (letter, class) = (word.chars().next()?, Class::of_letter(word.chars().nth(1)?)?);
            Some(Operand { letter, class })
        };
        let operands = operands.split_whitespace().filter_map(operand).collect();
        Self { text: text.into(), operands, place: Where::Everywhere }
    }

    /// The same where all lanes of the warp are.
    pub(crate) fn converged(self) -> Self {
        Self { place: Where::Converged, ..self }
    }

    /// The same in programs of this form only: in others, an assembler of the driver was seen to make something else of it.
    pub(crate) fn alone(self) -> Self {
        Self { place: Where::Alone, ..self }
    }

    /// The same with one bit pattern for all results that are no number: PTX leaves open which they have.
    pub(crate) fn canonical(self, ty: &str, width: u32, nan: &str) -> Self {
        let fixed = format!("{};\n\tsetp.nan.{ty} %again, D, D;\n\t@%again mov.b{width} D, {nan}", self.text);
        Self { text: fixed, ..self }
    }

    /// Whether a guard may stand before it.
    pub(crate) fn can_be_guarded(&self) -> bool {
        // Guards of `testp` were seen to be without effect.
        self.place == Where::Everywhere && !self.text.contains('\n') && !self.text.starts_with("testp")
    }

    /// Whether its sources must be two registers: of `min` of a number with itself, compilers make a move.
    pub(crate) fn needs_two_sources(&self) -> bool {
        self.text.starts_with("min") || self.text.starts_with("max")
    }

    /// The instruction with names in place of the placeholders.
    pub(crate) fn fill(&self, mut name: impl FnMut(char) -> String) -> String {
        let mut out = String::new();
        let letters: Vec<char> = self.text.chars().collect();
        for (i, letter) in letters.iter().enumerate() {
            let joined = |at: Option<&char>| at.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '%' | '_'));
            let before = i.checked_sub(1).and_then(|i| letters.get(i));
            let alone = !joined(before) && !joined(letters.get(i + 1));
            match letter {
                '#' => out += &name('#'),
                letter if letter.is_ascii_uppercase() && alone => out += &name(*letter),
                letter => out.push(*letter),
            }
        }
        out
    }
}
