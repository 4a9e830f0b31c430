//! The running Python program as [`tk_import::Program`]: what names stand for is asked of `tk._source`.

use crate::value::no_argument;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString, PyTuple};
use tk_grammar::environment::Role;
use tk_import::{Excerpt, PassedObject, Program, Referent};
use tk_types::{ConstValue, ScalarType};

/// A function or class with its text.
pub(crate) type Sourced<'py> = (Excerpt, Bound<'py, PyAny>);

/// Asks the interpreter, and keeps the first exception that it raises meanwhile.
pub(crate) struct Running<'py> {
    source: Bound<'py, PyAny>,
    pub(crate) failure: Option<PyErr>,
    /// The globals and closures that it was asked for and that are constants or functions.
    pub(crate) watched: Vec<Watched>,
}

/// A global, or a variable of a closure, that a kernel was linked with.
pub(crate) struct Watched {
    /// The globals, or the cell.
    holder: Py<PyAny>,
    name: Py<PyString>,
    value: Py<PyAny>,
    /// What is constant of it: the value itself, or what a `constexpr` holds.
    constant: Option<Py<PyAny>>,
}

impl Watched {
    fn new(holder: Bound<'_, PyAny>, name: Bound<'_, PyString>) -> PyResult<Option<Self>> {
        let Some(value) = held(&holder, &name)? else { return Ok(None) };
        let constant = plain(&value)?.map(Bound::unbind);
        Ok(Some(Self { holder: holder.unbind(), name: name.unbind(), value: value.unbind(), constant }))
    }

    /// Whether it still is what the kernel was linked with. Another function in its place is linked in turn.
    ///
    /// # Errors
    /// Another number or type: kernels are compiled for these.
    pub(crate) fn is_same(&self, py: Python<'_>) -> PyResult<bool> {
        let (name, value) = (self.name.bind(py), self.value.bind(py));
        let now = held(self.holder.bind(py), name)?;
        let Some(before) = &self.constant else { return Ok(now.is_some_and(|now| now.is(value))) };
        let before = before.bind(py);
        if now.as_ref().is_some_and(|now| now.is(before)) {
            return Ok(true);
        }
        let plain_now = now.as_ref().map(plain).transpose()?.flatten();
        if let Some(now) = &plain_now
            && (now.is(before) || now.get_type().is(before.get_type()) && now.eq(before)?)
        {
            return Ok(true);
        }
        let is_wrapped = !value.is(before);
        let shown = |value: &Bound<'_, PyAny>| match is_wrapped {
            true => value.repr().map(|text| format!("constexpr[{text}]")),
            false => value.str().map(|text| text.to_string()),
        };
        let (before, now) = (shown(before)?, plain_now.as_ref().map_or_else(|| Ok("nothing".into()), shown)?);
        Err(PyRuntimeError::new_err(format!(
            "Global variable {name} has changed since we compiled this kernel, from {before} to {now}. Pass what changes as an argument."
        )))
    }

    /// Name, value and holder of a constant.
    pub(crate) fn constant<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        if self.constant.is_none() {
            return Ok(None);
        }
        (&self.name, &self.value, &self.holder).into_pyobject(py).map(Some)
    }
}

/// The name of a passed object among those of a kernel.
pub(crate) fn passed_name(at: usize) -> String {
    format!("object {at}")
}

/// What globals or a cell hold under a name.
fn held<'py>(holder: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> PyResult<Option<Bound<'py, PyAny>>> {
    match holder.cast::<PyDict>() {
        Ok(globals) => globals.get_item(name),
        Err(_) => holder.getattr_opt(intern!(holder.py(), "cell_contents")),
    }
}

/// What of an object is a constant of kernels: a number, a text, a type, a tuple of them, or what a `constexpr` holds.
fn plain<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let kind = value.get_type();
    let kind = kind.name()?;
    if kind == "constexpr" {
        return value.getattr(intern!(value.py(), "value")).map(Some);
    }
    Ok((kind == "dtype" || constant(value)?.is_some()).then(|| value.clone()))
}

impl<'py> Running<'py> {
    pub(crate) fn new(py: Python<'py>) -> PyResult<Self> {
        Ok(Self { source: py.import("tk._source")?.into_any(), failure: None, watched: Vec::new() })
    }

    /// The text of a jit function.
    pub(crate) fn function(&self, function: &Bound<'py, PyAny>) -> PyResult<Sourced<'py>> {
        match referent(&self.source.call_method1("describe", (function,))?)? {
            Referent::Text(excerpt, owner) => Ok((excerpt, owner)),
            Referent::Opaque(what) => Err(PyTypeError::new_err(format!("tk cannot compile {what}"))),
            _ => Err(PyTypeError::new_err("tk.jit takes a function that is defined with def in a file")),
        }
    }

    /// The objects that a launch passes.
    pub(crate) fn objects(&self, objects: &[Bound<'py, PyAny>]) -> PyResult<Vec<PassedObject<Bound<'py, PyAny>>>> {
        let one = |(at, object): (usize, &Bound<'py, PyAny>)| {
            let words = self.source.call_method1("passed", (object,))?.extract::<Option<String>>()?;
            let description = words.ok_or_else(|| no_argument(object))?;
            Ok(PassedObject { name: passed_name(at), object: object.clone(), description })
        };
        objects.iter().enumerate().map(one).collect()
    }

    fn watch(&mut self, owner: &Bound<'py, PyAny>, name: &str) -> PyResult<()> {
        let holder = self.source.call_method1("watched", (owner, name))?;
        if !holder.is_none() {
            let name = PyString::intern(holder.py(), name);
            self.watched.extend(Watched::new(holder, name)?);
        }
        Ok(())
    }

    fn ask(&mut self, method: &str, object: &Bound<'py, PyAny>, name: &str) -> Option<Referent<Bound<'py, PyAny>>> {
        let answer = self.source.call_method1(method, (object, name)).and_then(|answer| match answer.is_none() {
            true => Ok(None),
            false => referent(&answer).map(Some),
        });
        answer.unwrap_or_else(|error| {
            self.failure.get_or_insert(error);
            None
        })
    }
}

impl<'py> Program for Running<'py> {
    type Object = Bound<'py, PyAny>;

    fn name(&mut self, owner: &Self::Object, name: &str) -> Option<Referent<Self::Object>> {
        let found = self.ask("name", owner, name);
        if let Some(Referent::Constant(_) | Referent::Tuple(_) | Referent::Text(..)) = found
            && let Err(error) = self.watch(owner, name)
        {
            self.failure.get_or_insert(error);
        }
        found
    }

    fn attribute(&mut self, object: &Self::Object, name: &str) -> Option<Referent<Self::Object>> {
        self.ask("attribute", object, name)
    }

    fn is_equal(&mut self, one: &Self::Object, other: &Self::Object) -> bool {
        // Arrays answer with arrays, which are no truth.
        let says_so =
            || one.rich_compare(other, CompareOp::Eq).is_ok_and(|answer| answer.is(PyBool::new(one.py(), true)));
        one.is(other) || one.get_type().is(other.get_type()) && says_so()
    }
}

/// What `tk._source.describe` answers: a tuple that begins with a word.
fn referent<'py>(answer: &Bound<'py, PyAny>) -> PyResult<Referent<Bound<'py, PyAny>>> {
    let parts = answer.cast::<PyTuple>()?;
    let word: String = parts.get_item(0)?.extract()?;
    let part = |at: usize| parts.get_item(at);
    Ok(match word.as_str() {
        "constant" => match constant(&part(1)?)? {
            Some(value) => Referent::Constant(value),
            None => Referent::Opaque("something that is no constant".into()),
        },
        "dtype" => match ScalarType::parse(&part(1)?.extract::<String>()?) {
            Some(ty) => Referent::Constant(ConstValue::Dtype(ty)),
            None => Referent::Opaque("a type that tk does not have".into()),
        },
        "known" => Referent::Known(part(1)?.extract()?),
        "tuple" => {
            let items: PyResult<Vec<_>> = part(1)?.try_iter()?.map(|item| referent(&item?)).collect();
            Referent::Tuple(items?)
        }
        "text" => {
            let (identity, file, first_line, text, role): (u64, String, u32, String, String) = (
                part(1)?.extract()?,
                part(2)?.extract()?,
                part(3)?.extract()?,
                part(4)?.extract()?,
                part(5)?.extract()?,
            );
            let role = match role.as_str() {
                "jit" => Some(Role::Jit),
                "noinline" => Some(Role::NoInline),
                "compile-time" => Some(Role::CompileTime),
                "host" => Some(Role::Host),
                _ => None,
            };
            let (must_use, path): (Option<String>, Option<String>) = (part(7)?.extract()?, part(8)?.extract()?);
            Referent::Text(Excerpt { identity, file, first_line, text, role, path, must_use }, part(6)?)
        }
        "refused" => Referent::Refused(part(1)?.extract()?),
        "object" => Referent::Object(part(1)?, part(2)?.extract()?),
        _ => Referent::Opaque(part(1)?.extract()?),
    })
}

/// A Python number, string, `None` or tuple of them; nothing for other objects.
pub(crate) fn constant(value: &Bound<'_, PyAny>) -> PyResult<Option<ConstValue>> {
    Ok(Some(if value.is_none() {
        ConstValue::None
    } else if value.is_instance_of::<PyBool>() {
        ConstValue::Bool(value.is_truthy()?)
    } else if value.is_instance_of::<PyInt>() {
        ConstValue::Int(value.extract()?)
    } else if value.is_instance_of::<PyFloat>() {
        ConstValue::Float(value.extract()?)
    } else if value.is_instance_of::<PyString>() {
        ConstValue::Str(value.extract()?)
    } else if let Ok(items) = value.cast::<PyTuple>() {
        let items: PyResult<Option<Vec<_>>> = items.iter().map(|item| constant(&item)).collect();
        return Ok(items?.map(ConstValue::Tuple));
    } else {
        return Ok(None);
    }))
}
