import type { AnyNode, CallExpression } from "acorn";
import { JAVASCRIPT_FILES } from "../tables/harmless-identifiers.ts";
import { accessesOf } from "./known-values.ts";
import type { Scope } from "./javascript-scope.ts";
import { pathsOf, valuesOf } from "./javascript-values.ts";
import { refuse } from "./unknown-code.ts";

/** Returns the JSON files that the code requires. */
export function requiredFiles({ callee, arguments: [file, ...more] }: CallExpression, scope: Scope): string[] | undefined {
  const isRequired = callee.type === "Identifier" && callee.name === "require";
  const values = isRequired && file && more.length === 0 ? valuesOf(file, scope) : undefined;
  return values?.every((value) => /^\.{0,2}\/[^\0]*[^/]\.json$/.test(value)) ? values : undefined;
}

/**
 * Records `fs.readFileSync("a.json", "utf8")` and `fs.writeFileSync("a.json", text)`. An object in place of `"utf8"` could make the first function
 * write. Returns the data that it writes.
 */
export function recordFileCall(name: string, given: readonly AnyNode[], scope: Scope): AnyNode[] {
  const base = name.replace(/Sync$/, "");
  const uses = JAVASCRIPT_FILES.get(base) ?? refuse();
  const files = given.slice(0, uses.split(",").length);
  const data = /^(write|append)File$/.test(base) ? given.slice(1, 2) : [];
  const options = given.slice(files.length + data.length);
  if (options.length > 1 || !options.every((each) => isPlainOption(each, base === "mkdir"))) refuse();
  const values = files.map((file) => (file.type === "Literal" && file.value === 0 ? ["/dev/stdin"] : pathsOf(file, scope)));
  if (given.some(({ type }) => type === "SpreadElement")) refuse();
  if (values.flat().some((value) => value === "" || /^\w+:/.test(value ?? ""))) refuse(); // it may be an address to Node
  if (base === "mkdir" && values.flat().some((value) => value?.includes(".."))) refuse(); // it makes each folder
  scope.paths.push(...(accessesOf(uses, values) ?? refuse()));
  return data;
}

/** True for `"utf8"` and `{ encoding: "utf8" }`, or for an object with other plain values. */
function isPlainOption(node: AnyNode, hasOthers: boolean): boolean {
  if (node.type !== "ObjectExpression") return node.type === "Literal" && typeof node.value === "string";
  return node.properties.every((each) => {
    if (each.type !== "Property" || each.computed || each.key.type !== "Identifier" || each.value.type !== "Literal") return false;
    return hasOthers || (each.key.name === "encoding" && typeof each.value.value === "string");
  });
}
