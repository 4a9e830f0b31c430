//! The arguments of a launch by the parameters of its function. A keyword that names no parameter is an option.

use crate::options;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use smallvec::SmallVec;
use tk_diag::SourceFile;
use tk_types::CompileOptions;

/// The object of each parameter.
pub(crate) type Objects<'py> = SmallVec<[Bound<'py, PyAny>; 16]>;

/// One parameter of the Python function.
pub(crate) struct Param {
    pub(crate) name: Py<PyString>,
    pub(crate) text: String,
    default: Option<Py<PyAny>>,
}

impl Param {
    /// `pair` is a name and a default, or a name alone.
    pub(crate) fn new(pair: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let name = pair.get_item(0)?.cast_into::<PyString>().map_err(PyErr::from)?;
        let default = (pair.len() > 1).then(|| pair.get_item(1)).transpose()?.map(Bound::unbind);
        Ok(Self { text: name.to_string(), name: name.unbind(), default })
    }
}

/// What a launch gives.
pub(crate) struct Given<'py> {
    pub(crate) objects: Objects<'py>,
    pub(crate) options: CompileOptions,
    /// What is compiled on in place of the kernel's own text.
    pub(crate) code: Option<SourceFile>,
}

/// Binds the arguments of a launch of `kernel`, whose options begin as `options`.
pub(crate) fn bind<'py>(
    kernel: &str,
    params: &[Param],
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
    mut options: CompileOptions,
) -> PyResult<Given<'py>> {
    let py = args.py();
    if args.len() > params.len() {
        let message = format!("`{kernel}` takes {} arguments, and {} were given", params.len(), args.len());
        return Err(PyTypeError::new_err(message));
    }
    let mut given: SmallVec<[Option<Bound<'py, PyAny>>; 16]> =
        args.iter_borrowed().map(|arg| Some(arg.to_owned())).collect();
    given.resize(params.len(), None);
    let (mut has_options, mut code) = (false, None);
    for (name, value) in kwargs.into_iter().flatten() {
        let name = name.cast_into::<PyString>().map_err(PyErr::from)?;
        match position(params, &name)? {
            Some(at) if given[at].is_some() => {
                return Err(PyTypeError::new_err(format!("`{kernel}` is given `{}` twice", params[at].text)));
            }
            Some(at) => given[at] = Some(value),
            None if name.to_str()? == options::CODE => code = options::code(&value)?,
            None => {
                has_options = true;
                options::read(kernel, &name, &value, &mut options)?;
            }
        }
    }
    if has_options {
        options::check(py, &options)?;
    }
    let mut objects = Objects::with_capacity(params.len());
    for (object, param) in given.into_iter().zip(params) {
        match (object, &param.default) {
            (Some(object), _) => objects.push(object),
            (None, Some(default)) => objects.push(default.bind(py).clone()),
            (None, None) => {
                return Err(PyTypeError::new_err(format!("`{kernel}` needs an argument for `{}`", param.text)));
            }
        }
    }
    Ok(Given { objects, options, code })
}

/// Which parameter has this name. Names in a program's text are the same object as the parameter's.
fn position(params: &[Param], name: &Bound<'_, PyString>) -> PyResult<Option<usize>> {
    if let Some(at) = params.iter().position(|param| param.name.is(name)) {
        return Ok(Some(at));
    }
    let text = name.to_str()?;
    Ok(params.iter().position(|param| param.text == text))
}
