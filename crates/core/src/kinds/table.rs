//! Rows of the flat table in which programs and machines cross over (`burnside.ir.encoding`), read by class and field.

/// Stands where a field has no value.
pub const NOTHING: i64 = i64::MIN;

/// Line, column, length; a text that says where, unless it is the model's own file.
pub type Span = (i64, i64, i64, Option<u32>);

/// A row that does not have the form its class promises: a mistake of the encoder, never of the user.
#[derive(Debug)]
pub struct Malformed(pub String);

pub type Result<T> = std::result::Result<T, Malformed>;

pub struct Rows<'a> {
    pub texts: &'a [String],
    pub rows: &'a [(String, Vec<i64>)],
}

impl<'a> Rows<'a> {
    pub fn row(&self, id: i64) -> Result<(&'a str, &'a [i64])> {
        let row = usize::try_from(id).ok().and_then(|id| self.rows.get(id));
        row.map(|(class, fields)| (class.as_str(), fields.as_slice()))
            .ok_or_else(|| Malformed(format!("row {id}")))
    }

    /// The first fields of a row of this class.
    pub fn fields<const N: usize>(&self, id: i64, class: &str) -> Result<&'a [i64; N]> {
        let (found, fields) = self.row(id)?;
        match fields.first_chunk() {
            Some(fields) if found == class => Ok(fields),
            _ => Err(Malformed(format!("{class} expected, {found} found"))),
        }
    }

    pub fn list(&self, id: i64) -> Result<&'a [i64]> {
        match self.row(id)? {
            ("list", items) => Ok(items),
            (other, _) => Err(Malformed(format!("list expected, {other} found"))),
        }
    }

    pub fn text(&self, id: i64) -> Result<&'a str> {
        let text = usize::try_from(id).ok().and_then(|id| self.texts.get(id));
        text.map(String::as_str).ok_or_else(|| Malformed(format!("text {id}")))
    }

    pub fn span(&self, id: i64) -> Result<Option<Span>> {
        if id == NOTHING {
            return Ok(None);
        }
        let &[line, column, length, source] = self.fields(id, "Span")?;
        Ok(Some((line, column, length, u32::try_from(source).ok())))
    }
}
