import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { variables } from "../docs/reference/environment.ts";
import { pageText } from "../docs/reference/page.ts";
import { referencePages } from "../docs/reference/pages.ts";
import { proceduresOf, routers } from "../docs/reference/procedures.ts";
import { schemaType } from "../docs/reference/schema-type.ts";

const root = path.resolve(import.meta.dirname, "../..");
const pages = referencePages();

test.for(pages.map((page) => [page.file, page] as const))("docs/reference/%s is up to date: npm run docs", ([file, page]) => {
  expect(readFileSync(path.join(root, "docs/reference", file), "utf8")).toBe(pageText(page));
});

test("docs/reference has no other pages", () => {
  expect(globSync("*", { cwd: path.join(root, "docs/reference") }).toSorted()).toEqual(pages.map(({ file }) => file).toSorted());
});

test("every procedure has a description", () => {
  const procedures = Object.entries(routers).flatMap(([noun, router]) => proceduresOf(noun, router));
  expect(procedures.length).toBeGreaterThan(50);
  expect(procedures.filter(({ about }) => about === undefined).map(({ name }) => name)).toEqual([]);
});

test("the page of variables lists every variable that the code reads by name, and no other", () => {
  const files = globSync("packages/{cli,daemon}/src/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  const read = files.flatMap((file) =>
    Array.from(readFileSync(path.join(root, file), "utf8").matchAll(/\benv\["(\w+)"\]/g), ([, name = ""]) => name),
  );
  expect(new Set(read).size).toBeGreaterThan(10);
  expect([...new Set(read)].toSorted()).toEqual(Object.keys(variables).toSorted());
});

test("a schema becomes a short type", () => {
  expect(schemaType({ type: "array", items: { enum: ["a", "b"] } })).toBe('("a" | "b")[]');
  expect(schemaType({ type: "object", properties: { a: { type: "string" }, b: { const: true } }, required: ["a"] })).toBe(
    "{ a: string, b?: true }",
  );
  expect(schemaType({ type: ["string", "null"] })).toBe("string | null");
  expect(schemaType({ type: "integer", exclusiveMinimum: 0, maximum: 5000 })).toBe("integer (1-5000)");
  expect(schemaType({ type: "number", exclusiveMinimum: 0 })).toBe("number (above 0)");
  expect(schemaType({ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })).toBe("integer");
  expect(schemaType({ $ref: "#/$defs/Answer" })).toBe("Answer");
  expect(schemaType({ $ref: "#/$defs/__schema0" })).toBe("any");
});
