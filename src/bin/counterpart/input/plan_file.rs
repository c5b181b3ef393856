//! Plan files: JSON.

use std::sync::Arc;

use counterpart::core::Plan;

use super::{Kind, Subject};
use crate::report::failure::{Failure, Unreadable};

pub(super) fn load(file: Arc<str>, text: Arc<str>) -> Result<Subject, Failure> {
    match Plan::from_json_in(&file, &text) {
        Ok(plan) => Ok(Subject::new(plan, Kind::Plan, file, text)),
        Err(error) => {
            let at = (error.line, error.column);
            Err(Unreadable { file, text, at, len: 1, message: error.message, help: None, note: None }.into())
        }
    }
}
