//! No file of the crate imports itself through others. Unit tests are not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Graph = BTreeMap<String, BTreeSet<String>>;

/// The files under `src`, by module path: `parse::lines`, or `parse` for `parse/mod.rs`.
fn modules(folder: &Path, path: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let file = entry.expect("an entry").path();
        let stem = file.file_stem().expect("a name").to_string_lossy();
        let module = match (&*stem, path) {
            ("mod" | "lib", _) => path.to_owned(),
            (_, "") => stem.into_owned(),
            _ => format!("{path}::{stem}"),
        };
        if file.is_dir() {
            modules(&file, &module, found);
        } else {
            found.insert(module, fs::read_to_string(&file).expect("a source file"));
        }
    }
}

/// The paths that a source file imports, with nested groups written out.
fn imports(source: &str) -> Vec<String> {
    fn expand(prefix: &str, tree: &str, paths: &mut Vec<String>) {
        let mut depth = 0;
        let parts = tree.split(|letter| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            letter == ',' && depth == 0
        });
        for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
            match part.split_once('{') {
                Some((head, rest)) => {
                    let inner = rest.strip_suffix('}').unwrap_or(rest);
                    expand(&format!("{prefix}{head}"), inner, paths);
                }
                None => paths.push(format!("{prefix}{part}")),
            }
        }
    }
    let mut paths = Vec::new();
    for statement in source.split(';') {
        let lines = statement.lines().map(str::trim);
        let code: Vec<_> = lines.filter(|line| !line.starts_with("//")).collect();
        let code = code.join(" ");
        let tree = code
            .rfind("use ")
            .filter(|&at| at == 0 || code[..at].ends_with([' ', '{', '}', ')']))
            .map(|at| &code[at + "use ".len()..]);
        if let Some(tree) = tree {
            expand("", tree, &mut paths);
        }
    }
    paths
}

/// The module that an import of `module` names: the longest path that is a file.
fn target(module: &str, import: &str, files: &BTreeMap<String, String>) -> Option<String> {
    let words: Vec<_> = import.split("::").map(str::trim).collect();
    let parent = |module: &str| {
        module
            .rsplit_once("::")
            .map_or("", |(parent, _)| parent)
            .to_owned()
    };
    let mut path = match words[0] {
        "crate" => String::new(),
        "super" => parent(module),
        "self" => module.to_owned(),
        // A `mod.rs` names its children directly; anything else is another crate.
        first => {
            let child = if module.is_empty() {
                first.to_owned()
            } else {
                format!("{module}::{first}")
            };
            return files
                .contains_key(&child)
                .then(|| deepest(child, &words[1..], files));
        }
    };
    let mut rest = &words[1..];
    while rest.first() == Some(&"super") {
        path = parent(&path);
        rest = &rest[1..];
    }
    Some(deepest(path, rest, files))
}

fn deepest(mut path: String, words: &[&str], files: &BTreeMap<String, String>) -> String {
    for word in words {
        let next = if path.is_empty() {
            (*word).to_owned()
        } else {
            format!("{path}::{word}")
        };
        if !files.contains_key(&next) {
            break;
        }
        path = next;
    }
    path
}

/// Files that can be reached from themselves.
fn loops(graph: &Graph) -> Vec<&str> {
    let reachable = |start: &str| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&String> = graph[start].iter().collect();
        while let Some(module) = open.pop() {
            if seen.insert(module) {
                open.extend(&graph[module]);
            }
        }
        seen
    };
    let modules = graph.keys().map(String::as_str);
    modules
        .filter(|module| reachable(module).contains(&(*module).to_owned()))
        .collect()
}

#[test]
fn no_file_imports_itself_through_others() {
    let mut files = BTreeMap::new();
    modules(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        "",
        &mut files,
    );
    let mut graph = Graph::new();
    for (module, source) in &files {
        // Unit tests may use the whole crate.
        let code = source.split("#[cfg(test)]\nmod tests {").next();
        let imports = imports(code.expect("a first part"));
        let targets = imports
            .iter()
            .filter_map(|import| target(module, import, &files));
        let others = targets.filter(|target| target != module).collect();
        graph.insert(module.clone(), others);
    }
    let edges: usize = graph.values().map(BTreeSet::len).sum();
    assert!(edges > 60, "{edges} imports");
    assert!(loops(&graph).is_empty(), "{:?}", loops(&graph));
}

#[test]
fn imports_and_loops_are_found() {
    let source =
        "//! a use b;\nuse a::{b, c::{D, e}};\npub(crate) use self::f;\nfn g() { use h; }\n";
    assert_eq!(
        imports(source),
        ["a::b", "a::c::D", "a::c::e", "self::f", "h"]
    );
    let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let graph = Graph::from([
        ("a".to_owned(), set(&["b"])),
        ("b".to_owned(), set(&["c"])),
        ("c".to_owned(), set(&["b"])),
    ]);
    assert_eq!(loops(&graph), ["b", "c"]);
}
