//! Files in, plain lists out: the readers of the core for Python. The GIL is released while they read. And the part of a
//! writer that takes long.

use burnside_core::kinds::net::pnml;
use burnside_core::kinds::net::pnml::arcs::ArcWriter;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::fs::File;
use std::io::{BufReader, Error, ErrorKind};
use std::path::{Path, PathBuf};

create_exception!(burnside._core, ReadError, PyException, "args: (message, line, column, hint)");
create_exception!(
    burnside._core,
    UnsupportedReadError,
    ReadError,
    "The file may be right, it cannot be read."
);
create_exception!(
    burnside._core,
    HighLevelReadError,
    UnsupportedReadError,
    "The file holds a high-level net, by its type."
);

/// Large enough that a long file costs few system calls, small enough to stay in the cache.
const BUFFER_BYTES: usize = 1 << 16;

/// What a reader found, in order of appearance.
#[pyclass(frozen, get_all, module = "burnside._core")]
struct ParsedNet {
    name: String,
    place_ids: Vec<String>,
    place_names: Vec<Option<String>>,
    initial: Vec<u64>,
    transition_ids: Vec<String>,
    transition_names: Vec<Option<String>>,
    consumes: Vec<Vec<(u32, u64)>>,
    produces: Vec<Vec<(u32, u64)>>,
}

impl From<pnml::ParsedNet> for ParsedNet {
    fn from(net: pnml::ParsedNet) -> Self {
        ParsedNet {
            name: net.name,
            place_ids: net.place_ids,
            place_names: net.place_names,
            initial: net.initial,
            transition_ids: net.transition_ids,
            transition_names: net.transition_names,
            consumes: net.consumes,
            produces: net.produces,
        }
    }
}

/// Streams a PNML place/transition net. What is not UTF-8, whatever it declares, is read again as ISO-8859-1.
#[pyfunction]
fn read_pnml(py: Python<'_>, path: PathBuf) -> PyResult<ParsedNet> {
    let read = || -> Result<Result<pnml::ParsedNet, pnml::ReadError>, Error> {
        let stream = || Ok::<_, Error>(BufReader::with_capacity(BUFFER_BYTES, open(&path)?));
        let found = pnml::read(stream()?);
        // A pipe can be read only once.
        let again = matches!(&found, Err(error) if error.not_utf_8) && path.metadata()?.is_file();
        Ok(if again { pnml::read_latin_1(stream()?) } else { found })
    };
    match py.detach(read) {
        Ok(Ok(net)) => Ok(net.into()),
        Ok(Err(error)) => Err(read_error(error)),
        Err(error) => Err(os_error(&error, &path)),
    }
}

/// Linux opens a directory and fails only at the first read, which would lose the kind of failure.
fn open(path: &Path) -> Result<File, Error> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    Ok(file)
}

fn read_error(error: pnml::ReadError) -> PyErr {
    let args = (error.message, error.line, error.column, error.hint);
    if error.high_level {
        HighLevelReadError::new_err(args)
    } else if error.unsupported {
        UnsupportedReadError::new_err(args)
    } else {
        ReadError::new_err(args)
    }
}

/// `OSError(number, text, path)` turns into `FileNotFoundError` and the like by itself.
fn os_error(error: &Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, error.to_string(), path.to_path_buf())),
        None => Error::from(error.kind()).into(),
    }
}

type Arcs = Vec<Vec<(u32, u64)>>;

/// Writes arcs as PNML, some transitions at a time.
#[pyclass(module = "burnside._core")]
struct PnmlArcs {
    writer: ArcWriter,
}

#[pymethods]
impl PnmlArcs {
    #[new]
    fn new(prefix: String, places: Vec<String>) -> PnmlArcs {
        PnmlArcs { writer: ArcWriter::new(prefix, places) }
    }

    fn text(&mut self, transitions: Vec<String>, consumes: Arcs, produces: Arcs) -> PyResult<String> {
        let mut arcs = consumes.iter().chain(&produces).flatten();
        if arcs.any(|&(place, _)| place as usize >= self.writer.places())
            || consumes.len() != transitions.len()
            || produces.len() != transitions.len()
        {
            return Err(PyValueError::new_err("an arc names no place, or a transition has no arcs"));
        }
        let mut text = String::new();
        for ((transition, consumes), produces) in transitions.iter().zip(&consumes).zip(&produces) {
            self.writer.write(transition, consumes, produces, &mut text);
        }
        Ok(text)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("ReadError", module.py().get_type::<ReadError>())?;
    module.add("UnsupportedReadError", module.py().get_type::<UnsupportedReadError>())?;
    module.add("HighLevelReadError", module.py().get_type::<HighLevelReadError>())?;
    module.add_class::<ParsedNet>()?;
    module.add_class::<PnmlArcs>()?;
    module.add_function(wrap_pyfunction!(read_pnml, module)?)
}
