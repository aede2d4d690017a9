//! No two source files of a package import each other, directly or by way of others.
//!
//! A file imports another if it names an item that is defined there. A name that a module re-exports counts
//! for the file that defines it, and a re-export itself is no import. Tests inside of files are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Ident, Item, ItemMod, ItemUse, Meta, UseTree, Visibility};

/// The names from the root of a package to a module: `["search", "node"]`.
type ModulePath = Vec<String>;

/// What a file is and refers to.
struct Module {
    file: PathBuf,
    /// Re-exported names, with the path that each stands for.
    reexports: BTreeMap<String, Vec<String>>,
    /// The same for names that only the file itself sees.
    imported: BTreeMap<String, Vec<String>>,
    /// Paths of items that the file names, as written; `*` at the end for all items of a module.
    references: Vec<Vec<String>>,
}

/// Collects the references of one file.
#[derive(Default)]
struct Collector {
    reexports: BTreeMap<String, Vec<String>>,
    imported: BTreeMap<String, Vec<String>>,
    references: Vec<Vec<String>>,
    /// Modules in files of their own.
    children: Vec<String>,
}

/// Whether it is compiled for tests alone: `cfg(test)`, `cfg(all(test, unix))`.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let Meta::List(list) = &attribute.meta else {
            return false;
        };
        let condition = list.tokens.to_string();
        list.path.is_ident("cfg")
            && condition.contains("test")
            && !condition.contains("any")
            && !condition.contains("not")
    })
}

/// The paths of a `use` declaration, each with the name that it introduces.
fn leaves(tree: &UseTree, prefix: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let path = |ident: &Ident| [prefix, &[ident.to_string()]].concat();
    match tree {
        UseTree::Path(part) => leaves(&part.tree, &path(&part.ident), found),
        UseTree::Name(name) if name.ident == "self" => {
            found.push((prefix.last().expect("a module").clone(), prefix.to_vec()));
        }
        UseTree::Name(name) => found.push((name.ident.to_string(), path(&name.ident))),
        UseTree::Rename(name) => found.push((name.rename.to_string(), path(&name.ident))),
        UseTree::Glob(_) => found.push(("*".to_owned(), [prefix, &["*".to_owned()]].concat())),
        UseTree::Group(group) => {
            for tree in &group.items {
                leaves(tree, prefix, found);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &Vec::new(),
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.content.is_none() {
            self.children.push(item.ident.to_string());
        }
        visit::visit_item_mod(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut found = Vec::new();
        leaves(&item.tree, &[], &mut found);
        if matches!(item.vis, Visibility::Inherited) {
            let paths = found.iter().map(|(_, path)| path.clone());
            self.references.extend(paths);
            self.imported.extend(found);
        } else {
            self.reexports.extend(found);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|part| part.ident.to_string());
        self.references.push(names.collect());
        visit::visit_path(self, path);
    }
}

/// Reads a module and those below it.
fn read(file: PathBuf, path: &[String], modules: &mut BTreeMap<ModulePath, Module>) {
    let text = fs::read_to_string(&file).expect("a source file");
    let syntax = syn::parse_file(&text).expect("Rust");
    let mut collector = Collector::default();
    collector.visit_file(&syntax);
    let stem = file.file_stem().expect("a name").to_owned();
    let mut folder = file.parent().expect("a folder").to_owned();
    if !["mod", "lib", "main"].iter().any(|name| stem == *name) {
        folder.push(stem);
    }
    for child in &collector.children {
        let flat = folder.join(format!("{child}.rs"));
        let nested = folder.join(child).join("mod.rs");
        let child_path = [path, std::slice::from_ref(child)].concat();
        read(
            if flat.exists() { flat } else { nested },
            &child_path,
            modules,
        );
    }
    let module = Module {
        file,
        reexports: collector.reexports,
        imported: collector.imported,
        references: collector.references,
    };
    modules.insert(path.to_vec(), module);
}

/// The module that defines the item that a path names, seen from another module. None if the path names a
/// module, something local, or an item of another package.
fn resolve(
    modules: &BTreeMap<ModulePath, Module>,
    from: &[String],
    path: &[String],
    depth: usize,
) -> Option<ModulePath> {
    // Names that stand for each other.
    if depth > 8 {
        return None;
    }
    let mut place = from.to_vec();
    let mut is_inside = false;
    for (i, name) in path.iter().enumerate() {
        let child = [place.as_slice(), std::slice::from_ref(name)].concat();
        let module = &modules[&place];
        let named = match module.reexports.get(name) {
            None if !is_inside => module.imported.get(name),
            named => named,
        };
        match name.as_str() {
            "crate" => place.clear(),
            "self" => {}
            "super" => {
                place.pop();
            }
            _ if modules.contains_key(&child) => place = child,
            _ => {
                let Some(target) = named else {
                    return is_inside.then_some(place);
                };
                let target = [target.as_slice(), &path[i + 1..]].concat();
                return resolve(modules, &place, &target, depth + 1);
            }
        }
        is_inside = true;
    }
    None
}

/// Which module imports which.
fn imports(modules: &BTreeMap<ModulePath, Module>) -> BTreeMap<&ModulePath, BTreeSet<ModulePath>> {
    let targets = |from: &ModulePath, module: &Module| {
        let targets = module.references.iter();
        let targets = targets.filter_map(|path| resolve(modules, from, path, 0));
        targets.filter(|target| target != from).collect()
    };
    let modules = modules.iter();
    modules
        .map(|(from, module)| (from, targets(from, module)))
        .collect()
}

/// All modules that one leads to.
fn reachable(
    imports: &BTreeMap<&ModulePath, BTreeSet<ModulePath>>,
    from: &ModulePath,
) -> BTreeSet<ModulePath> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.clone()];
    while let Some(module) = open.pop() {
        for target in &imports[&module] {
            if found.insert(target.clone()) {
                open.push(target.clone());
            }
        }
    }
    found
}

/// The groups of files that import each other.
fn loops(root: &Path) -> BTreeSet<Vec<String>> {
    let mut modules = BTreeMap::new();
    read(root.to_owned(), &[], &mut modules);
    let folder = root.parent().expect("a folder");
    let imports = imports(&modules);
    let reachable: BTreeMap<_, _> = modules
        .keys()
        .map(|module| (module, reachable(&imports, module)))
        .collect();
    let name = |module: &ModulePath| {
        let file = &modules[module].file;
        file.strip_prefix(folder)
            .expect("inside")
            .display()
            .to_string()
    };
    let looping = modules
        .keys()
        .filter(|module| reachable[module].contains(*module));
    looping
        .map(|module| {
            let others = reachable[module].iter();
            let group = others.filter(|other| reachable[other].contains(module));
            group.map(name).collect()
        })
        .collect()
}

#[test]
fn no_files_import_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for file in [
        "movegen/src/lib.rs",
        "movegen/svg/src/lib.rs",
        "movegen/syzygy/src/lib.rs",
        "epd/src/lib.rs",
        "epd/book/src/lib.rs",
        "epd/trust/src/lib.rs",
        "engine/src/lib.rs",
        "engine/train/src/lib.rs",
        "engine/train/src/main.rs",
        "client/src/main.rs",
        "referee/src/lib.rs",
        "referee/pairing/src/lib.rs",
        "referee/src/main.rs",
    ] {
        for group in loops(&root.join(file)) {
            found.push(format!("{file}: {}", group.join(", ")));
        }
    }
    assert!(
        found.is_empty(),
        "files that import each other:\n{}",
        found.join("\n")
    );
}

/// The check finds what it is for.
#[test]
fn a_loop_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("lib.rs", "mod a; mod b; mod c; pub use c::C;");
    write("a.rs", "use crate::b::B; pub struct A;");
    write("b.rs", "pub struct B(crate::a::A);");
    write(
        "c.rs",
        "use crate::a::A; #[cfg(test)] mod tests { use crate::C; }",
    );
    let expected = vec!["a.rs".to_owned(), "b.rs".to_owned()];
    let found = loops(&folder.path().join("lib.rs"));
    assert_eq!(found, BTreeSet::from([expected]));
    write("b.rs", "pub struct B(crate::C);");
    let found = loops(&folder.path().join("lib.rs"));
    let expected: Vec<_> = ["a.rs", "b.rs", "c.rs"].map(str::to_owned).into();
    assert_eq!(found, BTreeSet::from([expected]), "by a re-export");
}
