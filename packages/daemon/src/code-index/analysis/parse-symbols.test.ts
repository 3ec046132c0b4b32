import { expect, test } from "vitest";
import { grammarNames, languageOf } from "./languages.ts";
import { openParser } from "./parse-symbols.ts";

const parse = await openParser();

const examples: readonly [file: string, text: string, symbols: string][] = [
  [
    "a.ts",
    "export class Cart<T> { total(): number { const inner = 1; return inner; } }\nexport interface Item { a: 1 }\nexport type Id = string;\nexport enum Kind { A }\nexport const add = () => 1;\nnamespace Shop { export function open() {} }\nabstract class Base { abstract run(): void }\ndeclare function outside(): void;",
    "class Cart, method total, interface Item, type Id, enum Kind, variable add, namespace Shop, class Base, method run, function outside",
  ],
  ["a.tsx", "export function Page() { return <p>{1}</p>; }\nconst Row = () => <b/>;", "function Page, variable Row"],
  [
    "a.mjs",
    "class Cart { total() {} }\nfunction* all() {}\nexport default function main() {}",
    "class Cart, method total, function all, function main",
  ],
  [
    "a.py",
    "LIMIT = 3\nclass Cart:\n    size = 1\n    @property\n    def total(self):\n        inner = 1\n        def deep(): pass\ndef main(): pass",
    "variable LIMIT, class Cart, variable size, function total, function main",
  ],
  [
    "a.go",
    "package a\ntype Cart struct { n int }\nfunc (c *Cart) Total() int { x := 1; return x }\nfunc Main() {}\nconst Max = 3\nvar ErrNone error",
    "type Cart, method Total, function Main, constant Max, variable ErrNone",
  ],
  [
    "A.java",
    "class Cart { int n; Cart() {} int total() { int x = 1; return x; } interface Item { void go(); } }\nenum Kind { A }\nrecord Point(int x) {}",
    "class Cart, constructor Cart, method total, interface Item, method go, enum Kind, record Point",
  ],
  [
    "a.cs",
    "namespace Shop { class Cart { public int Total { get; } void Add() { int x; } } interface IItem {} struct P {} }",
    "class Cart, property Total, method Add, interface IItem, struct P",
  ],
  [
    "a.rs",
    "pub struct Cart;\nimpl Cart { pub fn total(&self) -> u8 { fn deep() {} 1 } }\ntrait Item { fn go(&self); }\nenum Kind { A }\nmod shop { pub fn open() {} }\nconst MAX: u8 = 1;\nmacro_rules! say { () => {} }",
    "struct Cart, function total, trait Item, function go, enum Kind, module shop, function open, constant MAX, macro say",
  ],
  [
    "a.rb",
    "module Shop\n  class Cart\n    def total; x = 1; end\n    def self.make; end\n  end\nend",
    "module Shop, class Cart, method total, method make",
  ],
  [
    "a.php",
    "<?php\nnamespace Shop;\nclass Cart { public function total() { $x = 1; } }\ninterface Item {}\nfunction main() {}",
    "class Cart, method total, interface Item, function main",
  ],
  [
    "a.h",
    "#ifndef A\n#define A\nint total(struct cart *c);\nint count;\ntypedef struct { int n; } cart_t;\nstruct cart { int n; };\n#endif",
    "function total, type cart_t, struct cart",
  ],
  [
    "a.cpp",
    "namespace shop { class Cart { int total(); }; }\nint shop::Cart::total() { int x; return x; }\ntemplate <class T> T largest(T a) { return a; }",
    "namespace shop, class Cart, method total, function shop::Cart::total, function largest",
  ],
  ["a.sh", "greet() { echo hi; }\nfunction bye { echo bye; }", "function greet, function bye"],
];

test.each(examples)("finds the definitions of %s, without those in functions", async (file, text, symbols) => {
  expect((await parse(file, text)).map(({ kind, name }) => `${kind} ${name}`).join(", ")).toBe(symbols);
});

test("there is an example for every grammar", () =>
  expect(new Set(examples.map(([file]) => languageOf(file)?.grammar))).toEqual(new Set(grammarNames)));

test("a definition has its lines and its depth", async () =>
  expect(await parse("a.ts", "\nclass A {\n  b() {\n  }\n}\n")).toEqual([
    { name: "A", kind: "class", line: 2, endLine: 5, depth: 0 },
    { name: "b", kind: "method", line: 3, endLine: 4, depth: 1 },
  ]));

test("a text that is cut anywhere has no error, and the next one is not affected", async () => {
  for (const [file, text] of examples) for (let end = 0; end < text.length; end += 7) await parse(file, text.slice(0, end));
  expect(await parse("a.ts", "function f() {}")).toHaveLength(1);
  expect(await parse("a.unknown", "function f() {}")).toEqual([]);
});
