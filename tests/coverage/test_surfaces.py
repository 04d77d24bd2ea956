"""What a package offers, as its own files say it, in each language."""

from __future__ import annotations

from pathlib import Path

from bindproof.coverage import c_surface, node_surface, python_surface, rust_surface


def test_a_python_package_is_read_from_stubs_where_there_are_some(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("def create(): ...\ndef _own(x): ...\nclass _Own:\n    x: int\n")
    (tmp_path / "llm.py").write_text("def call(name, *, data=None, **more): ...\nasync def flush(): ...\n")
    (tmp_path / "tools.py").write_text("def call(other): ...\n")
    (tmp_path / "tools.pyi").write_text("def call(name: str) -> None: ...\n")
    (tmp_path / "_hidden.py").write_text("def call(x): ...\n")

    names = python_surface.names(tmp_path)

    assert names == ["create()", "llm.call:data", "llm.call:more", "llm.call:name", "llm.flush()", "tools.call:name"]


def test_of_a_compiled_module_classes_alone_are_offered(tmp_path: Path) -> None:
    (tmp_path / "_native.pyi").write_text(
        "def call(name: str) -> None: ...\n"
        "class Request:\n"
        "    LIMIT: int\n"
        "    _own: int\n"
        "    def __new__(cls, headers: dict, content: object) -> Request: ...\n"
        "    @property\n    def headers(self) -> dict: ...\n"
        "    def close(self) -> None: ...\n"
        "    def __repr__(self) -> str: ...\n"
    )

    names = python_surface.names(tmp_path)

    assert names == ["Request.LIMIT", "Request.close()", "Request.headers", "Request:content", "Request:headers"]


def test_declarations_of_typescript_are_read_with_what_is_nested_in_types(tmp_path: Path) -> None:
    (tmp_path / "index.d.ts").write_text(
        "/** export declare function commented(x: number): void */\n"
        "export declare function call(name: string, next: (a: Json, b: Json) => Promise<Map<string, Json>>,"
        " to?: T): R\n"
        "export declare function __test(x: number): void\n"
        "export declare function flush(): void\n"
        "export interface Mark {\n  name: string\n  dataSchema?: { version: string } | null\n  resolve(): X\n}\n"
        "export declare class Handle {\n  constructor(first: string)\n  get uuid(): string\n  next(): Promise<R>\n}\n"
        "export const enum Kind {\n  One = 'one',\n  Two = 'two'\n}\n"
    )
    (tmp_path / "plugin.d.ts").write_text("export function register(kind: string): void;\n")

    assert node_surface.names(tmp_path) == [
        "Handle.next()",
        "Handle.uuid",
        "Handle:first",
        "Kind.One",
        "Kind.Two",
        "Mark.dataSchema",
        "Mark.name",
        "Mark.resolve()",
        "call:name",
        "call:next",
        "call:to",
        "flush()",
        "plugin.register:kind",
    ]


def test_a_header_is_read_without_the_prefix_that_its_functions_share(tmp_path: Path) -> None:
    (tmp_path / "lib.h").write_text(
        "typedef void (*lib_free)(void *user_data);\n"
        "// int lib_commented(int x);\n"
        "int lib_call(const char *name,\n             const struct Lib **out, int32_t (*cb)(void *));\n"
        "void lib_flush(void);\n"
        "char *lib_last_error(void);\n"
    )

    assert c_surface.names(tmp_path) == ["call:cb", "call:name", "call:out", "flush()", "last_error()"]


CRATE = """
//! A crate.
use other::Thing;
#[derive(Debug, TypedBuilder)]
pub struct CallParams<'a> {
    /// The name.
    #[builder(default)]
    pub name: &'a str,
    hidden: u8,
}
pub struct Answer { pub text: String }
#[doc(hidden)]
pub struct Inner { pub x: u8 }
pub enum Kind { One, Two { size: u8 }, #[doc(hidden)] Three }
pub fn call(params: CallParams<'_>, mut more: u8) -> Answer { fn inside(x: u8) {} }
pub(crate) fn own(x: u8) {}
pub trait Codec { fn decode(&self, _request: &str); }
impl Answer { pub fn new(text: String) -> Self { Self } fn quiet(x: u8) {} pub fn text(&self) {} }
impl Clone for Answer { fn clone(&self) -> Self { Self } }
macro_rules! registers {
    ($(#[$doc:meta])* $register:ident, $remove:ident, $kind:ty) => {
        $(#[$doc])*
        pub fn $register(name: &str, callback: $kind) {}
        pub fn $remove(name: &str) {}
    };
}
registers!(
    /// Registers it.
    register_one, deregister_one, Thing
);
#[cfg(test)]
mod tests { pub fn tested(x: u8) {} }
"""


def test_a_crate_is_read_with_what_its_macros_make(tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "mod.rs").write_text("pub mod llm;\npub fn flush() {}\n")
    (tmp_path / "api" / "llm.rs").write_text(CRATE)
    (tmp_path / "lib.rs").write_text("pub mod api;\npub fn version() {}\n")

    assert rust_surface.names(tmp_path) == [
        "api.flush()",
        "api.llm.Answer.new:text",
        "api.llm.Answer.text",
        "api.llm.Answer.text()",
        "api.llm.CallParams:name",
        "api.llm.Codec.decode:request",
        "api.llm.Kind.One",
        "api.llm.Kind.Two",
        "api.llm.Kind.Two.size",
        "api.llm.call:more",
        "api.llm.call:params",
        "api.llm.deregister_one:name",
        "api.llm.register_one:callback",
        "api.llm.register_one:name",
        "version()",
    ]
