//! Python's builtins and the modules `functools` and `itertools`; every other path goes to its module's file.

use super::args::need;
use super::evaluate::set_of;
use super::operators::{equal, order};
use super::{Args, Interpreter, MAX_ITEMS, builtin_names, convert, suggestion};
use crate::exception::{Exception, Result};
use crate::number;
use crate::value::{Dict, Partial, TENSOR_DESCRIPTOR, Value, range_length};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;
use tk_diag::HOST_ERROR;
use tk_grammar::ast::BinaryOp;

impl<'a> Interpreter<'a, '_> {
    /// Calls a builtin or a function of a module.
    pub(crate) fn call_path(&mut self, path: &str, args: Args<'a>) -> Result<Value<'a>> {
        match path.split_once('.') {
            None if path.starts_with("class ") => {
                let message = format!("`{}` is a class; classes cannot be used in host code yet", &path[6..]);
                Err(Exception::unsupported(message).help("write a function"))
            }
            None if builtin_names::is_exception(path) => {
                let message: Vec<String> = args.positional.iter().map(Value::display).collect();
                Ok(Value::Exception(Rc::new(*Exception::new(path, HOST_ERROR, message.join(", ")))))
            }
            None => self.call_builtin(path, args),
            Some(("math", name)) => super::math::call(name, args),
            Some(("functools", "partial")) => partial(args),
            Some(("functools", "reduce")) => self.reduce(args),
            Some(("itertools", name)) => self.itertools(name, args),
            Some(("torch", name)) => self.torch(name, args),
            Some(("triton", name)) => self.triton(name, args),
            Some(("tl", name)) => self.triton(&format!("language.{name}"), args),
            Some(("pytest", name)) => self.pytest(name, args),
            Some(("time", "time" | "perf_counter")) => {
                let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
                Ok(Value::Float(now.map(|time| time.as_secs_f64()).unwrap_or(0.0)))
            }
            Some(("random", "seed")) => Ok(Value::None),
            Some(("typing", "cast")) => args.positional.into_iter().nth(1).ok_or_else(|| unknown(path)),
            Some(("os", "environ.get" | "getenv")) => Ok(args.positional.into_iter().nth(1).unwrap_or(Value::None)),
            Some(_) => Err(unknown(path)),
        }
    }

    fn call_builtin(&mut self, name: &str, mut args: Args<'a>) -> Result<Value<'a>> {
        Ok(match name {
            "print" => return self.print(args),
            "range" => return range(args),
            "len" => return length(&args.one(name)?),
            "max" | "min" => return self.extreme(name, args),
            "sum" => return self.sum(args),
            "sorted" => return self.sorted(args),
            "any" | "all" => {
                let items = args.one(name)?;
                let mut items = self.items(&items)?;
                let wanted = name == "any";
                let found = items.find_map(|item| match item.truth() {
                    Ok(truth) if truth == wanted => Some(Ok(())),
                    Ok(_) => None,
                    Err(exception) => Some(Err(exception)),
                });
                Value::Bool(found.transpose()?.is_some() == wanted)
            }
            "enumerate" => {
                let [items, start] = args.bind(name, ["iterable", "start"])?;
                let items = self.collect(&need(items, name, "iterable")?)?;
                let start = start.map_or(Ok(0), |start| convert::int(&start, "start"))?;
                let pair = |(i, item): (usize, Value<'a>)| Value::tuple(vec![Value::Int(start + i as i128), item]);
                Value::list(items.into_iter().enumerate().map(pair).collect())
            }
            "zip" => {
                args.ignore(&["strict"]);
                let columns = args.positional.iter().map(|column| self.items(column)).collect::<Result<Vec<_>>>()?;
                Value::list(zipped(columns)?)
            }
            "map" => {
                let function = need(args.positional.first().cloned(), name, "function")?;
                let columns =
                    args.positional[1..].iter().map(|column| self.items(column)).collect::<Result<Vec<_>>>()?;
                let rows = zipped(columns)?;
                let mut out = Vec::with_capacity(rows.len());
                for row in rows {
                    let Value::Tuple(row) = row else { continue };
                    out.push(self.call(&function, Args::of(row.to_vec(), args.span))?);
                }
                Value::list(out)
            }
            "filter" => {
                let [function, items] = args.clone().bind(name, ["function", "iterable"])?;
                let function = need(function, name, "function")?;
                let mut out = Vec::new();
                for item in self.collect(&need(items, name, "iterable")?)? {
                    let keep = match function {
                        Value::None => item.truth()?,
                        _ => self.call(&function, Args::of(vec![item.clone()], args.span))?.truth()?,
                    };
                    if keep {
                        out.push(item);
                    }
                }
                Value::list(out)
            }
            "reversed" => {
                let mut items = self.collect(&args.one(name)?)?;
                items.reverse();
                Value::list(items)
            }
            "list" | "iter" => Value::list(self.optional_items(name, args)?),
            "tuple" => Value::tuple(self.optional_items(name, args)?),
            "set" => return set_of(self.optional_items(name, args)?),
            "dict" => return self.dict(args),
            "getattr" => {
                let [object, attribute, default] = args.bind(name, ["object", "name", "default"])?;
                let attribute = convert::string(&need(attribute, name, "name")?, "name")?;
                match (self.attribute(&need(object, name, "object")?, &attribute), default) {
                    (Err(_), Some(default)) => default,
                    (result, _) => return result,
                }
            }
            "hasattr" => {
                let [object, attribute] = args.bind(name, ["object", "name"])?;
                let attribute = convert::string(&need(attribute, name, "name")?, "name")?;
                Value::Bool(self.attribute(&need(object, name, "object")?, &attribute).is_ok())
            }
            "isinstance" => {
                let [value, class] = args.bind(name, ["object", "class"])?;
                let (value, class) = (need(value, name, "object")?, need(class, name, "class")?);
                Value::Bool(is_instance(&value, &class))
            }
            _ => return simple_builtin(name, args),
        })
    }

    fn optional_items(&mut self, name: &str, args: Args<'a>) -> Result<Vec<Value<'a>>> {
        let [items] = args.bind(name, ["iterable"])?;
        items.map_or(Ok(Vec::new()), |items| self.collect(&items))
    }

    fn print(&mut self, mut args: Args<'a>) -> Result<Value<'a>> {
        let separator = args.take("sep").map_or_else(|| " ".to_string(), |text| text.display());
        let end = args.take("end").map_or_else(|| "\n".to_string(), |text| text.display());
        args.ignore(&["flush", "file"]);
        if let Some((name, _)) = args.named.first() {
            return Err(Exception::argument(format!("`print` has no argument `{name}`")));
        }
        let texts: Vec<String> = args.positional.iter().map(Value::display).collect();
        // Nobody should read numbers of a kernel that failed.
        self.check_device()?;
        let written = write!(self.output, "{}{end}", texts.join(&separator));
        written.map_err(|error| Exception::new("OSError", tk_diag::FILE, format!("cannot print: {error}")))?;
        Ok(Value::None)
    }

    fn extreme(&mut self, name: &str, mut args: Args<'a>) -> Result<Value<'a>> {
        let key = args.take("key");
        let default = args.take("default");
        let items = match args.positional.as_slice() {
            [only] => self.collect(only)?,
            many => many.to_vec(),
        };
        let wanted = if name == "max" { Ordering::Greater } else { Ordering::Less };
        let mut best: Option<(Value<'a>, Value<'a>)> = None;
        for item in items {
            let rank = match &key {
                Some(key) => self.call(key, Args::of(vec![item.clone()], args.span))?,
                None => item.clone(),
            };
            let better = match &best {
                None => true,
                Some((_, old)) => order(&rank, old)? == Some(wanted),
            };
            if better {
                best = Some((item, rank));
            }
        }
        best.map(|best| best.0).or(default).ok_or_else(|| Exception::value(format!("`{name}` of nothing")))
    }

    fn sum(&mut self, args: Args<'a>) -> Result<Value<'a>> {
        let [items, start] = args.bind("sum", ["iterable", "start"])?;
        let items = need(items, "sum", "iterable")?;
        let mut total = start.unwrap_or(Value::Int(0));
        for item in self.items(&items)? {
            self.step()?;
            total = self.binary(BinaryOp::Add, &total, &item)?;
        }
        Ok(total)
    }

    fn sorted(&mut self, mut args: Args<'a>) -> Result<Value<'a>> {
        let key = args.take("key");
        let reverse = args.take("reverse").map_or(Ok(false), |reverse| reverse.truth())?;
        let span = args.span;
        let items = self.collect(&args.one("sorted")?)?;
        Ok(Value::list(self.sort(items, key, reverse, span)?))
    }

    pub(crate) fn sort(
        &mut self,
        items: Vec<Value<'a>>,
        key: Option<Value<'a>>,
        reverse: bool,
        span: tk_diag::Span,
    ) -> Result<Vec<Value<'a>>> {
        let mut ranked = Vec::with_capacity(items.len());
        for item in items {
            let rank = match &key {
                Some(key) => self.call(key, Args::of(vec![item.clone()], span))?,
                None => item.clone(),
            };
            ranked.push((rank, item));
        }
        let ranked = merge_sort(ranked, &mut |a, b| {
            let found = order(&a.0, &b.0)?.unwrap_or(Ordering::Equal);
            Ok(if reverse { found.reverse() } else { found })
        })?;
        Ok(ranked.into_iter().map(|(_, item)| item).collect())
    }

    fn dict(&mut self, args: Args<'a>) -> Result<Value<'a>> {
        let mut dict = Dict::default();
        match args.positional.as_slice() {
            [] => {}
            [Value::Dict(other)] => dict = other.borrow().clone(),
            [pairs] => {
                for pair in self.collect(pairs)? {
                    match self.collect(&pair)?.as_slice() {
                        [key, value] => dict.insert(key.clone(), value.clone())?,
                        _ => return Err(Exception::value("`dict` needs pairs of a key and a value")),
                    }
                }
            }
            _ => return Err(Exception::ty("`dict` takes one argument by position")),
        }
        for (name, value) in args.named {
            dict.insert(Value::Str(name), value)?;
        }
        Ok(Value::Dict(Rc::new(RefCell::new(dict))))
    }

    fn reduce(&mut self, args: Args<'a>) -> Result<Value<'a>> {
        let span = args.span;
        let [function, items, start] = args.bind("reduce", ["function", "iterable", "initial"])?;
        let function = need(function, "reduce", "function")?;
        let items = self.collect(&need(items, "reduce", "iterable")?)?;
        let mut items = items.into_iter();
        let mut total = start.or_else(|| items.next()).ok_or_else(|| Exception::ty("`reduce` of nothing"))?;
        for item in items {
            total = self.call(&function, Args::of(vec![total, item], span))?;
        }
        Ok(total)
    }

    fn itertools(&mut self, name: &str, args: Args<'a>) -> Result<Value<'a>> {
        let columns = args.positional.iter().map(|column| self.collect(column)).collect::<Result<Vec<_>>>()?;
        match name {
            "chain" => Ok(Value::list(columns.concat())),
            "product" => {
                let count = columns.iter().try_fold(1usize, |count, column| count.checked_mul(column.len()));
                if count.is_none_or(|count| count > MAX_ITEMS) {
                    return Err(Exception::overflow("this product has too many items"));
                }
                let mut rows = vec![Vec::new()];
                for column in columns {
                    let extend = |row: &Vec<Value<'a>>| {
                        column
                            .iter()
                            .map(|item| row.iter().cloned().chain([item.clone()]).collect())
                            .collect::<Vec<_>>()
                    };
                    rows = rows.iter().flat_map(extend).collect();
                }
                Ok(Value::list(rows.into_iter().map(Value::tuple).collect()))
            }
            _ => Err(unknown(&format!("itertools.{name}"))),
        }
    }

    fn pytest(&mut self, name: &str, args: Args<'a>) -> Result<Value<'a>> {
        match name {
            "raises" => {
                let expected = need(args.positional.into_iter().next(), "pytest.raises", "the exception")?;
                Ok(Self::object("pytest.raises", vec![("expected".into(), expected)]))
            }
            "skip" => Err(Exception::new(
                "Skipped",
                HOST_ERROR,
                args.positional.first().map_or(String::new(), Value::display),
            )),
            "approx" => args.positional.into_iter().next().ok_or_else(|| unknown("pytest.approx")),
            "param" => Ok(match args.positional.as_slice() {
                [only] => only.clone(),
                many => Value::tuple(many.to_vec()),
            }),
            _ => Ok(Value::None),
        }
    }
}

/// A stable sort whose comparison may fail; unlike the standard one it bears orders that are not total, as with NaN.
fn merge_sort<T>(mut items: Vec<T>, compare: &mut dyn FnMut(&T, &T) -> Result<Ordering>) -> Result<Vec<T>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let right = items.split_off(items.len() / 2);
    let mut left = merge_sort(items, compare)?.into_iter().peekable();
    let mut right = merge_sort(right, compare)?.into_iter().peekable();
    let mut out = Vec::with_capacity(left.len() + right.len());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let first = if compare(b, a)?.is_lt() { &mut right } else { &mut left };
        out.extend(first.next());
    }
    out.extend(left);
    out.extend(right);
    Ok(out)
}

/// The error for a path that names nothing that tk has.
pub(crate) fn unknown(path: &str) -> Box<Exception> {
    let exception = Exception::unsupported(format!("`{path}` is not available in host code"));
    let last = path.rsplit('.').next().unwrap_or(path);
    let known = super::torch::names().chain(super::tensor_functions::names());
    match suggestion(last, known).filter(|_| path.starts_with("torch.")) {
        Some(help) => exception.help(help),
        None => exception,
    }
}

fn simple_builtin<'a>(name: &str, args: Args<'a>) -> Result<Value<'a>> {
    Ok(match name {
        "abs" => match args.one(name)? {
            Value::Float(value) => Value::Float(value.abs()),
            Value::Tensor(tensor) => Value::Tensor(crate::tensor::elementwise::unary("abs", &tensor).unwrap_or(tensor)),
            other => Value::Int(convert::int(&other, "the argument of abs")?.saturating_abs()),
        },
        "bool" => {
            let [value] = args.bind(name, ["x"])?;
            Value::Bool(value.map_or(Ok(false), |value| value.truth())?)
        }
        "int" => return to_int(args),
        "float" => {
            let [value] = args.bind(name, ["x"])?;
            Value::Float(match value {
                None => 0.0,
                Some(Value::Str(text)) => parse_float(&text)?,
                Some(other) => convert::float(&other, "the argument of float")?,
            })
        }
        "str" => {
            let [value] = args.bind(name, ["object"])?;
            Value::str(value.map_or(String::new(), |value| value.display()))
        }
        "repr" => Value::str(args.one(name)?.repr()),
        "format" => {
            let [value, spec] = args.bind(name, ["value", "format_spec"])?;
            let spec = spec.map_or(String::new(), |spec| spec.display());
            Value::str(crate::format::apply(&need(value, name, "value")?, &spec)?)
        }
        "round" => return round(args),
        "divmod" => {
            let [a, b] = args.bind(name, ["a", "b"])?;
            let (a, b) = (convert::int(&need(a, name, "a")?, "a")?, convert::int(&need(b, name, "b")?, "b")?);
            Value::tuple(vec![
                of_number(number::ints(BinaryOp::FloorDiv, a, b)?),
                of_number(number::ints(BinaryOp::Mod, a, b)?),
            ])
        }
        "pow" => {
            let [a, b] = args.bind(name, ["base", "exp"])?;
            match (need(a, name, "base")?, need(b, name, "exp")?) {
                (Value::Int(a), Value::Int(b)) => of_number(number::ints(BinaryOp::Pow, a, b)?),
                (a, b) => Value::Float(number::floats(
                    BinaryOp::Pow,
                    convert::float(&a, "base")?,
                    convert::float(&b, "exp")?,
                )?),
            }
        }
        "callable" => Value::Bool(matches!(
            args.one(name)?,
            Value::Function(_) | Value::Partial(_) | Value::Path(_) | Value::Method(_)
        )),
        "type" => match args.one(name)? {
            Value::Exception(exception) => Value::Path(exception.class.as_str().into()),
            Value::Tensor(_) => Value::Path("torch.Tensor".into()),
            other => Value::Path(other.class().into()),
        },
        "bin" => Value::str(format!("{:#b}", convert::int(&args.one(name)?, "the argument")?)),
        "hex" => Value::str(format!("{:#x}", convert::int(&args.one(name)?, "the argument")?)),
        "ord" => match &*convert::string(&args.one(name)?, "the argument of ord")? {
            text if text.chars().count() == 1 => Value::Int(text.chars().next().map_or(0, |c| c as i128)),
            _ => return Err(Exception::ty("`ord` needs one character")),
        },
        "chr" => {
            let code = convert::int(&args.one(name)?, "the argument of chr")?;
            let character = u32::try_from(code).ok().and_then(char::from_u32);
            Value::str(character.ok_or_else(|| Exception::value(format!("{code} is no character")))?.to_string())
        }
        "slice" => {
            let parts = match args.positional.as_slice() {
                [stop] => [Value::None, stop.clone(), Value::None],
                [start, stop] => [start.clone(), stop.clone(), Value::None],
                [start, stop, step] => [start.clone(), stop.clone(), step.clone()],
                _ => return Err(Exception::ty("`slice` takes one to three arguments")),
            };
            Value::Slice(Rc::new(parts))
        }
        _ => return Err(unknown(name)),
    })
}

pub(crate) fn of_number<'a>(value: number::Number) -> Value<'a> {
    match value {
        number::Number::Int(value) => Value::Int(value),
        number::Number::Float(value) => Value::Float(value),
    }
}

fn range<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let ints =
        args.positional.iter().map(|value| convert::int(value, "an argument of range")).collect::<Result<Vec<_>>>()?;
    match ints.as_slice() {
        [stop] => Ok(Value::Range(0, *stop, 1)),
        [start, stop] => Ok(Value::Range(*start, *stop, 1)),
        [_, _, 0] => Err(Exception::value("the step of a range must not be 0")),
        [start, stop, step] => Ok(Value::Range(*start, *stop, *step)),
        _ => Err(Exception::ty("`range` takes one to three arguments")),
    }
}

fn length<'a>(value: &Value<'a>) -> Result<Value<'a>> {
    let length = match value {
        Value::Str(text) => text.chars().count(),
        Value::Tuple(items) => items.len(),
        Value::List(items) => items.borrow().len(),
        Value::Dict(dict) | Value::Set(dict) => dict.borrow().entries().len(),
        Value::Range(start, stop, step) => return Ok(Value::Int(range_length(*start, *stop, *step))),
        Value::Tensor(tensor) if tensor.rank() > 0 => tensor.shape[0],
        other => return Err(Exception::ty(format!("a {} has no length", other.class()))),
    };
    Ok(Value::Int(length as i128))
}

fn zipped<'a>(mut columns: Vec<super::evaluate::Items<'a>>) -> Result<Vec<Value<'a>>> {
    let mut rows = Vec::new();
    while !columns.is_empty() {
        let row: Option<Vec<Value<'a>>> = columns.iter_mut().map(Iterator::next).collect();
        let Some(row) = row else { break };
        if rows.len() >= MAX_ITEMS {
            return Err(Exception::overflow("`zip` makes too many items"));
        }
        rows.push(Value::tuple(row));
    }
    Ok(rows)
}

pub(super) fn to_int<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let [value, base] = args.bind("int", ["x", "base"])?;
    let base = base.map_or(Ok(10), |base| convert::int(&base, "base"))?;
    let value = match value {
        None => 0,
        Some(Value::Float(value)) if !value.is_finite() || value.abs() >= 1.7e38 => {
            return Err(Exception::overflow(format!("{} is no integer of 128 bits", crate::format::float(value))));
        }
        Some(Value::Float(value)) => value as i128,
        Some(Value::Str(text)) => {
            let plain = text.trim().replace('_', "");
            let radix = u32::try_from(base).ok().filter(|base| (2..=36).contains(base));
            let radix = radix.ok_or_else(|| Exception::value("the base of `int` is 2 to 36"))?;
            i128::from_str_radix(&plain, radix)
                .map_err(|_| Exception::value(format!("{} is not an integer", crate::format::quoted(&text))))?
        }
        Some(Value::Tensor(tensor)) if tensor.dtype.is_float() => {
            convert::float(&Value::Tensor(tensor), "the argument of int")? as i128
        }
        Some(other) => convert::int(&other, "the argument of int")?,
    };
    Ok(Value::Int(value))
}

fn parse_float(text: &str) -> Result<f64> {
    let plain = text.trim().replace('_', "").to_ascii_lowercase();
    plain.parse().map_err(|_| Exception::value(format!("{} is not a number", crate::format::quoted(text))))
}

fn round<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let [value, digits] = args.bind("round", ["number", "ndigits"])?;
    let value = need(value, "round", "number")?;
    match (&value, digits) {
        (Value::Int(_) | Value::Bool(_), _) => Ok(value),
        (_, None) => {
            let rounded = convert::float(&value, "number")?.round_ties_even();
            to_int(Args::of(vec![Value::Float(rounded)], Default::default()))
        }
        (_, Some(digits)) => {
            let digits = convert::int(&digits, "ndigits")?.clamp(-300, 300) as usize;
            let text = format!("{:.digits$}", convert::float(&value, "number")?);
            Ok(Value::Float(text.parse().unwrap_or(f64::NAN)))
        }
    }
}

fn is_instance<'a>(value: &Value<'a>, class: &Value<'a>) -> bool {
    match class {
        Value::Tuple(classes) => classes.iter().any(|class| is_instance(value, class)),
        Value::Path(path) => match (&**path, value) {
            ("int", Value::Bool(_)) => true,
            ("torch.Tensor", Value::Tensor(_)) | ("torch.dtype", Value::Dtype(_)) | ("object", _) => true,
            ("torch.Size", Value::Tuple(_)) => true,
            (name, Value::Object(object)) if object.class == TENSOR_DESCRIPTOR => {
                name.rsplit('.').next() == Some(TENSOR_DESCRIPTOR)
            }
            (name, Value::Exception(exception)) => name == exception.class || name == "Exception",
            (name, value) => name == value.class(),
        },
        other => equal(value, other),
    }
}

fn partial<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let mut positional = args.positional.into_iter();
    let function = need(positional.next(), "partial", "a function")?;
    Ok(Value::Partial(Rc::new(Partial { function, positional: positional.collect(), named: args.named })))
}
