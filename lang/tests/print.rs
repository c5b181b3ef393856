//! Printed plans elaborate to the same plan.

mod print {
    pub mod compare;
    mod errors;
    mod odd;
    mod schedules;
    mod worlds;
}
