//! A schedule that was proven under a weak model does not get onto a backend that does not offer it. The backend is known
//! only where a driver or an endpoint is made for it, so `cargo check` says nothing yet, and `cargo build` does.

use crate::rustc;

const SCHEDULE: &str = "
    counterpart::schedule! {
        pub schedule Crossed;
        model edge + item;
        message Act:  [f32; 8];
        message Grad: [f32; 8];

        rank 0 { send Act to 1; recv Grad from 1; }
        rank 1 { send Grad to 0; recv Act from 0; }
    }
    use counterpart::{Driver, Error, Rank, Schedule};
    use counterpart::backend::{Counting, Threads};
";

#[test]
fn a_weak_model_needs_a_backend_that_offers_it() {
    let on_threads = [
        "pub fn drive(backend: &mut Threads) -> Result<(), Error> {
            Driver::<Crossed, _>::new(backend)?.run(backend, &mut ())
        }",
        "pub fn open(backend: &mut Threads) -> Result<(), Error> {
            Crossed::open(Rank::<0>, backend, |_| Err(Error::Usage(String::new())))
        }",
    ];
    for program in on_threads {
        let errors = rustc::errors_of_a_build("models", &format!("{SCHEDULE}{program}"));
        let said: Vec<&str> = errors.iter().map(|error| &*error.message).collect();
        let expected = "schedule `Crossed` asks for edge+item, this backend offers blocking+gang\n\
                        help: declare the schedule for a stricter model, or run it on another backend";
        assert!(matches!(said[..], [one] if one.ends_with(expected)), "{said:#?}");

        let counting = program.replace("Threads", "Counting");
        assert!(rustc::errors_of_a_build("models", &format!("{SCHEDULE}{counting}")).is_empty());
    }
}
