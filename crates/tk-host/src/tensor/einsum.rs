//! `torch.einsum`: products of tensors whose dimensions have letters, two operands at a time as matrix products.

use super::{Tensor, linear, reduce};
use crate::exception::{Exception, Result};
use tk_types::ScalarType;

/// The dimensions that no letter names.
const REST: &str = "...";
/// What stands for them one by one: characters that nobody writes.
const STAND_IN: u32 = 0xE000;
/// How many of these characters there are.
const MOST_STAND_INS: u32 = 0x1900;

/// A tensor with a letter for each dimension.
struct Labelled {
    tensor: Tensor,
    letters: Vec<char>,
}

/// The value of an equation such as `bik,bkj->bij`. Without `->`, letters that stand once are the result, in the order of the alphabet.
///
/// # Errors
/// An equation that does not fit its operands; letters that stand twice in one operand, and dimensions of `...` of several sizes.
pub(crate) fn einsum(equation: &str, operands: &[Tensor]) -> Result<Tensor> {
    let text: String = equation.chars().filter(|c| !c.is_whitespace()).collect();
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs.to_string(), output.to_string()),
        None => (text.clone(), format!("{REST}{}", once(&text))),
    };
    let rest = |input: &str, tensor: &Tensor| match input.contains(REST) {
        true => (tensor.rank() + REST.len()).saturating_sub(input.chars().count()),
        false => 0,
    };
    let counts: Vec<usize> = inputs.split(',').zip(operands).map(|(input, tensor)| rest(input, tensor)).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let count = |at: usize| counts.get(at).copied().unwrap_or(0);
    let inputs: Vec<Vec<char>> =
        inputs.split(',').enumerate().map(|(at, input)| spelled(input, most - count(at), most)).collect();
    let output = spelled(&output, 0, most);
    check(equation, &inputs, &output, operands)?;
    let mut left: Option<Labelled> = None;
    for (at, (letters, tensor)) in inputs.iter().zip(operands).enumerate() {
        let later =
            |letter: &char| output.contains(letter) || inputs[at + 1..].iter().any(|input| input.contains(letter));
        let operand = Labelled { tensor: tensor.clone(), letters: letters.clone() };
        left = Some(match left {
            None => operand,
            Some(left) => product(left, operand, &later)?,
        });
    }
    let whole = left.ok_or_else(|| Exception::value("`einsum` needs an operand"))?;
    let whole = summed(whole, &|letter| output.contains(letter))?;
    let order: Vec<i128> = output.iter().filter_map(|letter| place(&whole, *letter)).map(|at| at as i128).collect();
    whole.tensor.permute(&order)
}

/// The letters with `...` as stand-ins for the dimensions from `first` to `end`: those of several operands end together.
fn spelled(letters: &str, first: usize, end: usize) -> Vec<char> {
    match letters.split_once(REST) {
        None => letters.chars().collect(),
        Some((before, after)) => {
            let stands = (first..end).filter_map(|at| char::from_u32(STAND_IN + u32::try_from(at).ok()?));
            before.chars().chain(stands).chain(after.chars()).collect()
        }
    }
}

/// The letters that stand once.
fn once(text: &str) -> String {
    let mut letters: Vec<char> =
        text.chars().filter(|c| c.is_ascii_alphabetic() && text.matches(*c).count() == 1).collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

/// Whether this stands for a dimension of `...`.
fn is_stand_in(letter: char) -> bool {
    (STAND_IN..STAND_IN + MOST_STAND_INS).contains(&u32::from(letter))
}

/// A dimension as messages write it.
fn shown(letter: char) -> String {
    if is_stand_in(letter) { REST.to_string() } else { letter.to_string() }
}

fn check(equation: &str, inputs: &[Vec<char>], output: &[char], operands: &[Tensor]) -> Result<()> {
    let wrong = |why: String| Err(Exception::value(format!("`einsum` of '{equation}': {why}")));
    if inputs.len() != operands.len() {
        return wrong(format!("it has {} operands, and {} are given", inputs.len(), operands.len()));
    }
    let mut sizes: Vec<(char, usize)> = Vec::new();
    for (letters, tensor) in inputs.iter().zip(operands) {
        if let Some(other) = letters.iter().find(|letter| !letter.is_ascii_alphabetic() && !is_stand_in(**letter)) {
            return wrong(format!("`{other}` is no letter; write one for each dimension"));
        }
        if letters.len() != tensor.rank() {
            return wrong(format!("{} letters for {} dimensions", letters.len(), tensor.rank()));
        }
        for (at, (letter, size)) in letters.iter().zip(&tensor.shape).enumerate() {
            if letters[..at].contains(letter) {
                return wrong(format!("`{letter}` stands twice in one operand, which is not supported"));
            }
            match sizes.iter().find(|(known, _)| known == letter) {
                Some((_, known)) if known != size => {
                    return wrong(format!("`{}` is {known} and {size}", shown(*letter)));
                }
                Some(_) => {}
                None => sizes.push((*letter, *size)),
            }
        }
    }
    for (at, letter) in output.iter().enumerate() {
        if output[..at].contains(letter) || sizes.iter().all(|(known, _)| known != letter) {
            return wrong(format!("`{letter}` of the result stands in no operand, or twice"));
        }
    }
    Ok(())
}

fn place(labelled: &Labelled, letter: char) -> Option<usize> {
    labelled.letters.iter().position(|known| *known == letter)
}

/// The sum over the letters that are not kept.
fn summed(labelled: Labelled, keeps: &dyn Fn(&char) -> bool) -> Result<Labelled> {
    let axes: Vec<usize> = (0..labelled.letters.len()).filter(|at| !keeps(&labelled.letters[*at])).collect();
    if axes.is_empty() {
        return Ok(labelled);
    }
    let tensor = match reduce::reduce("sum", &labelled.tensor, &axes, reduce::Keep::Drop, 0.0) {
        Some(sum) => sum?.to_dtype(labelled.tensor.dtype),
        None => labelled.tensor,
    };
    Ok(Labelled { tensor, letters: labelled.letters.into_iter().filter(|letter| keeps(letter)).collect() })
}

/// The product of two operands, summed over what neither the result nor a later operand has.
fn product(a: Labelled, b: Labelled, later: &dyn Fn(&char) -> bool) -> Result<Labelled> {
    let dtype: ScalarType = super::array::promote(a.tensor.dtype, b.tensor.dtype);
    let (in_a, in_b) = (a.letters.clone(), b.letters.clone());
    let a = summed(a, &|letter| later(letter) || in_b.contains(letter))?;
    let b = summed(b, &|letter| later(letter) || in_a.contains(letter))?;
    let of = |letters: &[char], both: bool, other: &[char]| -> Vec<char> {
        letters.iter().copied().filter(|letter| other.contains(letter) == both).collect()
    };
    let shared = of(&a.letters, true, &b.letters);
    let batch: Vec<char> = shared.iter().copied().filter(|letter| later(letter)).collect();
    let inner: Vec<char> = shared.iter().copied().filter(|letter| !later(letter)).collect();
    let (rows, columns) = (of(&a.letters, false, &b.letters), of(&b.letters, false, &a.letters));
    let size = |labelled: &Labelled, letters: &[char]| -> i128 {
        letters
            .iter()
            .filter_map(|letter| place(labelled, *letter))
            .map(|at| labelled.tensor.shape[at] as i128)
            .product()
    };
    let (count, m) = (size(&a, &batch), size(&a, &rows));
    let (k, n) = (size(&a, &inner), size(&b, &columns));
    let left = arranged(&a, &[&batch[..], &rows, &inner], &[count, m, k])?.to_dtype(dtype);
    let right = arranged(&b, &[&batch[..], &inner, &columns], &[count, k, n])?.to_dtype(dtype);
    let flat = linear::matmul(&left, &right)?;
    let letters = [batch, rows, columns].concat();
    let sizes: Vec<i128> = letters
        .iter()
        .map(|letter| place(&a, *letter).map_or_else(|| size(&b, &[*letter]), |at| a.tensor.shape[at] as i128))
        .collect();
    Ok(Labelled { tensor: flat.reshape(&sizes)?, letters })
}

/// A tensor with its dimensions in this order, then in this shape.
fn arranged(labelled: &Labelled, order: &[&[char]], shape: &[i128]) -> Result<Tensor> {
    let order: Vec<i128> =
        order.concat().iter().filter_map(|letter| place(labelled, *letter)).map(|at| at as i128).collect();
    labelled.tensor.permute(&order)?.reshape(shape)
}
