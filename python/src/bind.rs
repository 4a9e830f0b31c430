//! The arguments of a launch by the parameters of its function. A keyword that names no parameter is an option.

use crate::options;
use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use smallvec::SmallVec;
use tk_diag::SourceFile;
use tk_types::CompileOptions;

/// The object of each parameter.
pub(crate) type Objects<'a, 'py> = SmallVec<[Borrowed<'a, 'py, PyAny>; 16]>;

/// The arguments of a launch, which its caller holds.
#[derive(Default)]
pub(crate) struct Arguments<'a, 'py> {
    pub(crate) positional: SmallVec<[Borrowed<'a, 'py, PyAny>; 16]>,
    pub(crate) keywords: SmallVec<[(Borrowed<'a, 'py, PyString>, Borrowed<'a, 'py, PyAny>); 8]>,
}

/// The keywords of a call whose dictionary others may change meanwhile.
pub(crate) struct Keywords<'py>(Vec<(Bound<'py, PyString>, Bound<'py, PyAny>)>);

impl<'py> Keywords<'py> {
    pub(crate) fn of(kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        let named =
            |(name, value): (Bound<'py, PyAny>, _)| Ok((name.cast_into::<PyString>().map_err(PyErr::from)?, value));
        kwargs.into_iter().flatten().map(named).collect::<PyResult<_>>().map(Self)
    }

    /// With the positional arguments.
    pub(crate) fn after<'a>(&'a self, args: &'a Bound<'py, PyTuple>) -> Arguments<'a, 'py> {
        Arguments {
            positional: args.iter_borrowed().collect(),
            keywords: self.0.iter().map(|(name, value)| (name.as_borrowed(), value.as_borrowed())).collect(),
        }
    }
}

impl<'py> Arguments<'_, 'py> {
    /// As Python functions take them.
    pub(crate) fn objects(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        for (name, value) in &self.keywords {
            keywords.set_item(name, value)?;
        }
        Ok((PyTuple::new(py, &self.positional)?, keywords))
    }
}

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
pub(crate) struct Given<'a, 'py> {
    pub(crate) objects: Objects<'a, 'py>,
    pub(crate) options: CompileOptions,
    /// What is compiled on in place of the kernel's own text.
    pub(crate) code: Option<SourceFile>,
}

impl<'a, 'py> Given<'a, 'py> {
    /// Nothing yet, for a launch whose options begin as `options`.
    pub(crate) fn new(options: CompileOptions) -> Self {
        Self { objects: Objects::new(), options, code: None }
    }

    /// Binds the arguments of a launch of `kernel`.
    pub(crate) fn bind(
        &mut self,
        py: Python<'py>,
        kernel: &str,
        params: &'a [Param],
        args: &Arguments<'a, 'py>,
    ) -> PyResult<()> {
        if args.positional.len() > params.len() {
            let (takes, given) = (params.len(), args.positional.len());
            let message = format!("`{kernel}` takes {takes} arguments, and {given} were given");
            return Err(PyTypeError::new_err(message));
        }
        let mut named: SmallVec<[Option<Borrowed<'a, 'py, PyAny>>; 16]> = SmallVec::new();
        named.resize(params.len() - args.positional.len(), None);
        let mut has_options = false;
        for (name, value) in &args.keywords {
            match position(params, name)? {
                Some(at) => match at.checked_sub(args.positional.len()).map(|at| &mut named[at]) {
                    Some(free @ None) => *free = Some(*value),
                    Some(Some(_)) | None => {
                        return Err(PyTypeError::new_err(format!("`{kernel}` is given `{}` twice", params[at].text)));
                    }
                },
                None if name.to_str()? == options::CODE => self.code = options::code(value)?,
                None => {
                    has_options = true;
                    options::read(kernel, name, value, &mut self.options)?;
                }
            }
        }
        if has_options {
            options::check(py, &self.options)?;
        }
        self.objects.extend_from_slice(&args.positional);
        for (object, param) in named.into_iter().zip(&params[args.positional.len()..]) {
            match (object, &param.default) {
                (Some(object), _) => self.objects.push(object),
                (None, Some(default)) => self.objects.push(default.bind_borrowed(py)),
                (None, None) => {
                    return Err(PyTypeError::new_err(format!("`{kernel}` needs an argument for `{}`", param.text)));
                }
            }
        }
        Ok(())
    }
}

/// Which parameter has this name. Names in a program's text are the same object as the parameter's.
fn position(params: &[Param], name: &Bound<'_, PyString>) -> PyResult<Option<usize>> {
    if let Some(at) = params.iter().position(|param| param.name.is(name)) {
        return Ok(Some(at));
    }
    let text = name.to_str()?;
    Ok(params.iter().position(|param| param.text == text))
}
