//! No two source files import each other, directly or through others.
//!
//! The imports are read from the text: `use` declarations, and paths that begin with `crate`, `super`,
//! `self` or a child module. A path leads to the file that defines its item, also through a `pub use`.
//! Tests are left out, because they may use everything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;

/// A module with a file of its own: the names from the root of the crate.
type Module = Vec<String>;

/// A file without its comments, strings and tests.
struct Source {
    /// The paths that it imports, with the name that each gets.
    imports: Vec<(Vec<String>, String)>,
    /// The paths in its other code.
    paths: Vec<Vec<String>>,
}

/// All modules of a crate that have files.
type Modules = BTreeMap<Module, Source>;

fn words(path: &str) -> Vec<String> {
    let words = path.split("::").map(|word| word.trim().to_owned());
    words.filter(|word| !word.is_empty()).collect()
}

/// The paths of a `use` declaration: `a::{b, c::{d, self}}` has three.
fn flatten(tree: &str, prefix: &[String], paths: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    if let Some((head, rest)) = tree.split_once('{') {
        let prefix = [prefix, &words(head)].concat();
        let inner = rest.strip_suffix('}').unwrap_or_else(|| panic!("{tree:?}"));
        let (mut depth, mut from) = (0, 0);
        for (at, letter) in inner.char_indices().chain([(inner.len(), ',')]) {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    flatten(&inner[from..at], &prefix, paths);
                    from = (at + 1).min(inner.len());
                }
                _ => {}
            }
        }
    } else if !tree.is_empty() {
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path = [prefix, &words(path)].concat();
        // In braces, `self` is the module itself.
        if path.len() > 1 && path.last().is_some_and(|word| word == "self") {
            path.pop();
        }
        let last = path.last().cloned().unwrap_or_default();
        let name = if alias.is_empty() {
            last
        } else {
            alias.trim().to_owned()
        };
        paths.push((path, name));
    }
}

fn read(text: &str) -> Source {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code = code.split("#[cfg(all(test").next().unwrap_or_default();
    let regex = |pattern: &str| Regex::new(pattern).expect("a pattern");
    // Raw strings, strings, characters and comments, whichever comes first.
    let text = r##"r#"[\s\S]*?"#|"(\\.|[^"\\])*"|'(\\.|[^'\\])'|//[^\n]*"##;
    let code = regex(text).replace_all(code, "");
    let declaration = regex(r"(?m)^\s*(?:pub(?:\([^)]*\))?\s+)?use\s+([\w:{}\s,*]+);");
    let mut imports = Vec::new();
    for found in declaration.captures_iter(&code) {
        flatten(&found[1].replace('\n', " "), &[], &mut imports);
    }
    let code = declaration.replace_all(&code, "");
    let path = regex(r"[A-Za-z_]\w*(?:::\w+)+");
    let paths = path.find_iter(&code).map(|found| words(found.as_str()));
    Source {
        imports,
        paths: paths.collect(),
    }
}

fn add_files(folder: &Path, module: &Module, modules: &mut Modules) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let mut child = module.clone();
        child.push(name.clone());
        if path.is_dir() && name != "tests" {
            add_files(&path, &child, modules);
        } else if path.extension().is_some_and(|ending| ending == "rs") && name != "tests" {
            let is_root = module.is_empty() && (name == "main" || name == "lib");
            let module = if is_root || name == "mod" {
                module
            } else {
                &child
            };
            let text = fs::read_to_string(&path).expect("UTF-8");
            modules.insert(module.clone(), read(&text));
        }
    }
}

/// The module in whose file the item of a path is defined; none for another crate.
fn resolve(modules: &Modules, from: &Module, path: &[String], most_steps: usize) -> Option<Module> {
    let mut module = from.clone();
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => (module, rest) = (Vec::new(), &rest[1..]),
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|word| word == "super") {
                module.pop();
                rest = &rest[1..];
            }
        }
        child => {
            let child = [&from[..], &[child.to_owned()]].concat();
            modules.get(&child)?;
        }
    }
    while let Some((word, after)) = rest.split_first() {
        let child = [&module[..], std::slice::from_ref(word)].concat();
        if modules.contains_key(&child) {
            (module, rest) = (child, after);
            continue;
        }
        // An item of this module, which may come from elsewhere.
        let mut imports = modules[&module].imports.iter();
        let import = imports.find(|(_, name)| name == word);
        let origin = import
            .filter(|_| most_steps > 0)
            .and_then(|(path, _)| resolve(modules, &module, path, most_steps - 1));
        return Some(origin.unwrap_or(module));
    }
    Some(module)
}

/// The modules that a module uses.
fn uses(modules: &Modules, module: &Module) -> BTreeSet<Module> {
    let source = &modules[module];
    let imports = source.imports.iter().map(|(path, _)| path);
    let paths = imports.chain(&source.paths);
    let mut used: BTreeSet<_> = paths
        .filter_map(|path| resolve(modules, module, path, 9))
        .collect();
    used.remove(module);
    used
}

/// The modules that use each other, each with those of them that it uses.
fn loops(modules: &Modules) -> Vec<String> {
    let mut graph: BTreeMap<_, _> = modules
        .keys()
        .map(|module| (module, uses(modules, module)))
        .collect();
    // Modules that use nothing, or that nothing uses, are in no loop.
    loop {
        let before = graph.len();
        let used: BTreeSet<_> = graph.values().flatten().cloned().collect();
        graph.retain(|module, uses| !uses.is_empty() && used.contains(*module));
        let left: BTreeSet<_> = graph.keys().map(|module| (*module).clone()).collect();
        for uses in graph.values_mut() {
            uses.retain(|module| left.contains(module));
        }
        if graph.len() == before {
            break;
        }
    }
    let line = |(module, uses): (&Module, BTreeSet<Module>)| {
        let uses: Vec<_> = uses.iter().map(|module| module.join("::")).collect();
        format!("{} uses {}", module.join("::"), uses.join(", "))
    };
    graph.into_iter().map(line).collect()
}

#[test]
fn files_do_not_import_each_other() {
    let mut modules = Modules::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    add_files(&folder, &Vec::new(), &mut modules);
    assert!(modules.len() > 50);
    let mut loops = loops(&modules);
    // The storage of games is about to leave this crate.
    loops.retain(|line| !line.starts_with("games"));
    assert_eq!(loops, [""; 0]);
}

#[test]
fn loops_are_found() {
    let modules = |files: &[(&str, &str)]| -> Modules {
        let files = files
            .iter()
            .map(|(module, text)| (words(module), read(text)));
        files.collect()
    };
    let parent = (
        "a",
        "mod b;\npub use b::Y;\npub struct X;\nfn f() { b::g(); }",
    );
    for (child, expected) in [
        ("use super::X;", vec!["a uses a::b", "a::b uses a"]),
        (
            "fn g() -> crate::a::X {}",
            vec!["a uses a::b", "a::b uses a"],
        ),
        // What the parent only passes on is not its own.
        ("use crate::a::{Y, b::{self, Z as W}};", vec![]),
        (
            "use std::a::X; // super::X\nconst S: &str = \"super::X\";",
            vec![],
        ),
        ("#[cfg(test)]\nmod tests { use super::super::X; }", vec![]),
    ] {
        let modules = modules(&[("", "mod a;"), parent, ("a::b", child)]);
        assert_eq!(loops(&modules), expected, "{child}");
    }
}
