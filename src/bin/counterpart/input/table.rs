//! Tables of torch.distributed.pipelining: CSV.

use std::path::Path;
use std::sync::Arc;

use counterpart::core::comms::{self, CommsError};
use counterpart::table::{self, Table, TableError};

use super::{Kind, Notation, Placement, Subject};
use crate::report::failure::{Failure, Unreadable};

/// The plan of a table. A compute order is given its communication.
pub(super) fn load(
    file: Arc<str>,
    text: Arc<str>,
    notation: Notation,
    placement: Option<Placement>,
    comms: bool,
) -> Result<Subject, Failure> {
    let notation = match notation {
        Notation::Current => table::Notation::Current,
        Notation::Older => table::Notation::Older,
    };
    let placement = placement.map(|placement| match placement {
        Placement::Loop => table::Placement::Loop,
        Placement::V => table::Placement::V,
        Placement::Bidirectional => table::Placement::Bidirectional,
    });
    let name =
        Path::new(&*file).file_stem().map_or_else(|| file.to_string(), |stem| stem.to_string_lossy().into());
    let table = Table::parse(&file, &text, notation).map_err(|error| unreadable(&file, &text, error))?;
    let plan = table.to_plan(&name, placement).map_err(|error| unreadable(&file, &text, error))?;
    // Only two chains that no domain covers have to be looked at by themselves.
    let gap = match plan.domains().is_empty() {
        true => table.chain_fault(placement).map_err(|error| unreadable(&file, &text, error))?,
        false => None,
    };
    if let Some(fault) = gap {
        return Ok(Subject { fault: Some(Box::new(fault)), ..Subject::new(plan, Kind::Table, file, text) });
    }
    if table.has_communication() || !comms {
        return Ok(Subject::new(plan, Kind::Table, file, text));
    }
    match comms::paired(&plan) {
        Ok(plan) => Ok(Subject::new(plan, Kind::Table, file, text)),
        Err(CommsError::Impossible(mut fault)) => {
            if placement.is_none() && runs_as_two_chains(&table) {
                let help = "as two chains this order can run: say so with --placement bidirectional";
                fault.help = Some(help.to_owned());
            }
            Ok(Subject { fault: Some(fault), ..Subject::new(plan, Kind::Table, file, text) })
        }
        Err(error) => Err(Failure::Usage(format!("{file}: {error}"))),
    }
}

/// Is it two chains? By their ranks alone they are a V.
fn runs_as_two_chains(table: &Table) -> bool {
    let order = table.to_plan("", Some(table::Placement::Bidirectional));
    order.is_ok_and(|order| comms::paired(&order).is_ok())
}

fn unreadable(file: &Arc<str>, text: &Arc<str>, error: TableError) -> Failure {
    let message = error.to_string();
    let TableError { line, at, len, help, .. } = error;
    Unreadable {
        file: Arc::clone(file),
        text: Arc::clone(text),
        at: (line, at),
        len,
        message,
        help,
        note: None,
    }
    .into()
}
