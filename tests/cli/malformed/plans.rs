//! Plan files that are none.

use serde_json::{Map, Value, json};

use super::{Changes, Text};

pub fn malformed() -> Vec<Text> {
    // Strings in this file hold no brackets, colons or commas.
    let mut changes = Changes::of("plan", "batch.json");
    changes.cut();
    changes.drop_or_double(b"[]{}:\"");
    for at in changes.places(b"[{:,") {
        changes.replace(at + 1..at + 1, "@");
    }
    for at in changes.places(b",") {
        changes.replace(at..at + 1, ",,");
        changes.replace(at..at + 1, ";");
    }
    changes.never();
    let mut texts = changes.texts;

    // Every key of the format, with something else in its place.
    let mut changes = Changes::of("plan", "whole.json");
    changes.cut();
    let good: Value = serde_json::from_slice(&changes.good).unwrap();
    let mut all = Vec::new();
    paths(&good, String::new(), &mut all);
    for path in all {
        for wrong in [Value::Null, json!(true), json!(1.5), json!({"x": 1}), json!([[[]]])] {
            let mut plan = good.clone();
            *plan.pointer_mut(&path).unwrap() = wrong.clone();
            changes.add(format!("{path} is {wrong}"), plan.to_string());
        }
        let (parent, key) = path.rsplit_once('/').unwrap_or(("", &path));
        // Labels and names of compute steps may be anything.
        let is_free = parent.starts_with("/messages") && parent.len() == 9 || parent.starts_with("/domains");
        if path.is_empty() || is_free || !good.pointer(parent).unwrap().is_object() {
            continue;
        }
        let value = good.pointer(&path).unwrap();
        let called = |name: String| with(&good, parent, |object| drop(object.insert(name, value.clone())));
        let other = with(&called(format!("{key}s")), parent, |object| drop(object.remove(key)));
        changes.add(format!("{path} is called {key}s"), other.to_string());
        // The letter that makes the keys differ is taken out of the text.
        let twice = called(format!("{key}\u{1}")).to_string().replace("\\u0001", "");
        changes.add(format!("{path} is there twice"), twice);
        if !matches!(key, "messages" | "domains" | "reads" | "writes" | "after") {
            let less = with(&good, parent, |object| drop(object.remove(key)));
            changes.add(format!("no {path}"), less.to_string());
        }
    }
    texts.extend(changes.texts);
    texts
}

/// The pointers to everything in a value.
fn paths(value: &Value, path: String, all: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                paths(value, format!("{path}/{key}"), all);
            }
        }
        Value::Array(list) => {
            for (n, value) in list.iter().enumerate() {
                paths(value, format!("{path}/{n}"), all);
            }
        }
        _ => {}
    }
    all.push(path);
}

/// The plan with a change to one of its objects.
fn with(plan: &Value, object: &str, change: impl FnOnce(&mut Map<String, Value>)) -> Value {
    let mut plan = plan.clone();
    change(plan.pointer_mut(object).unwrap().as_object_mut().unwrap());
    plan
}
