//! What other libraries queued on streams of their own is done before a launch uses their arrays.
//!
//! By DLPack the producer is told the stream of the launch, and lets it wait. `__cuda_array_interface__` names the stream of the producer, and
//! the launch's stream waits for that one. Tensors of torch need nothing: launches use torch's current stream, as its own operations do.

use crate::device::Place;
use crate::error;
use crate::memory_unsafe;
use crate::value::{Tensor, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tk_launch::Stream;

/// What DLPack's producers take for "nothing is to be waited for".
pub(crate) const NO_STREAM: i64 = -1;

/// What both protocols call the default stream, whose handle is 0; they do not allow 0.
const DEFAULT_STREAM: i64 = 1;

/// Who made an array, and is asked before a kernel on a GPU uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Producer {
    Nobody,
    Dlpack,
    CudaArray,
}

/// A capsule with an array, whose producer lets a stream wait where that is told. Consumers ask for the version that they know first.
pub(crate) fn capsule<'py>(object: &Bound<'py, PyAny>, stream: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let asked = PyDict::new(py);
    if let Some(stream) = stream {
        asked.set_item(intern!(py, "stream"), stream)?;
    }
    let newest = asked.copy()?;
    newest.set_item(intern!(py, "max_version"), (1, 0))?;
    match object.call_method(intern!(py, "__dlpack__"), (), Some(&newest)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            object.call_method(intern!(py, "__dlpack__"), (), Some(&asked))
        }
        answer => answer,
    }
}

/// The number of a stream in both protocols.
fn number(stream: Stream) -> i64 {
    match stream.handle() {
        0 => DEFAULT_STREAM,
        handle => handle as i64,
    }
}

/// Lets the stream of a launch wait for the producers of its arrays. What is returned keeps their memory until the launch is queued.
pub(crate) fn take_over<'py>(place: &Place, stream: Stream, values: &[Value<'py>]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (mut held, mut waited) = (Vec::new(), vec![number(stream)]);
    for value in values {
        match value {
            Value::Tensor(tensor) => take_one(place, stream, tensor, &mut held, &mut waited)?,
            Value::Descriptor(descriptor) => take_one(place, stream, &descriptor.base, &mut held, &mut waited)?,
            Value::Tuple(items) | Value::Record(_, items) => held.extend(take_over(place, stream, items)?),
            Value::Int(_)
            | Value::Float(_)
            | Value::Bool(_)
            | Value::Constant(_)
            | Value::Function(_)
            | Value::Object(_) => {}
        }
    }
    Ok(held)
}

/// `waited` has the streams that need not be waited for (any more).
fn take_one<'py>(
    place: &Place,
    stream: Stream,
    tensor: &Tensor<'py>,
    held: &mut Vec<Bound<'py, PyAny>>,
    waited: &mut Vec<i64>,
) -> PyResult<()> {
    match tensor.producer() {
        Producer::Nobody => Ok(()),
        Producer::Dlpack => {
            let capsule = capsule(&tensor.object, Some(number(stream)))?;
            if memory_unsafe::lent(&capsule)?.range.address as u64 != tensor.address {
                let message = "DLPack: an array has another address each time that it is asked for";
                return Err(PyValueError::new_err(message));
            }
            held.push(capsule);
            Ok(())
        }
        Producer::CudaArray => {
            let Some(own) = stream_of(&tensor.object)?.filter(|own| !waited.contains(own)) else { return Ok(()) };
            let other = memory_unsafe::stream(own as usize);
            let py = tensor.object.py();
            place.device.wait_for(stream, other).map_err(|fault| error::one(py, &fault))?;
            waited.push(own);
            Ok(())
        }
    }
}

/// The stream that an array is ready on, where `__cuda_array_interface__` names one.
fn stream_of(object: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    let py = object.py();
    let interface = object.getattr(intern!(py, "__cuda_array_interface__"))?;
    let stream = interface.call_method1(intern!(py, "get"), (intern!(py, "stream"),))?;
    match stream.extract::<Option<i64>>()? {
        Some(0) => {
            Err(PyValueError::new_err("__cuda_array_interface__: stream 0 is ambiguous; the default stream is 1"))
        }
        stream => Ok(stream),
    }
}
