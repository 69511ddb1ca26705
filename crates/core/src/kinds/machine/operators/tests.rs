//! Laws: every operator against plain definitions on ordered sets (`plain`), and renaming of points against all of them.

mod laws;
pub(crate) mod model;
mod plain;
mod timing;
