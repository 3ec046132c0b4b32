import { readFile } from "node:fs/promises";
import path from "node:path";
import type { PlacedRule, Rule } from "@baton/core/protocol/rule";
import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import type * as z from "zod";
import { nearest } from "@baton/core/text/nearest";
import { parts, type Config } from "./schema.ts";

/** What is wrong in a file, where (line and column from 1), and what to do. */
export type Diagnostic = { file: string; line: number; column: number; message: string };

/** `insteadOfAsking` is there while `permissions` cannot be read and no earlier reading is known. */
export type Loaded = { config: Config; rules: PlacedRule[]; insteadOfAsking?: PlacedRule | undefined; diagnostics: Diagnostic[] };

/**
 * Reads config.jsonc. What is wrong is reported with its place and the rest still counts, except that a broken
 * `permissions` keeps the rules of `before`, or, without any, denies what it would have asked. A missing file is empty.
 */
export async function loadConfig(file: string, before?: Loaded): Promise<Loaded> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}";
    throw error;
  });
  return parseConfig(text, file, before);
}

export function parseConfig(text: string, file: string, before?: Loaded): Loaded {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const at = (offset: number) => placeOf(text, offset);
  const diagnostics = errors.map(({ error, offset }): Diagnostic => ({
    file,
    ...at(offset),
    message: `${printParseErrorCode(error)}: this is not valid JSON with comments.`,
  }));
  if (errors.length > 0 || root?.type !== "object") {
    if (errors.length === 0) diagnostics.push({ file, line: 1, column: 1, message: "The config has to be one object: { ... }." });
    return { config: before?.config ?? {}, ...lastGood(file, before), diagnostics };
  }
  return readParts(root, file, at, diagnostics, before);
}

function readParts(
  root: Node,
  file: string,
  at: (offset: number) => { line: number; column: number },
  diagnostics: Diagnostic[],
  before?: Loaded,
): Loaded {
  const config: Config = {};
  let permissions: Pick<Loaded, "rules" | "insteadOfAsking"> = { rules: [] };
  for (const property of root.children ?? []) {
    const [key, node] = property.children ?? [];
    const name = String(key?.value);
    if (!isPart(name)) {
      if (name !== "$schema") diagnostics.push({ file, ...at(property.offset), message: `Unknown key "${name}".${didYouMean(name)}` });
      continue;
    }
    const value: unknown = node && valueOf(node);
    const parsed = parts[name].safeParse(value);
    if (parsed.success) {
      Object.assign(config, { [name]: parsed.data });
      if (name === "permissions") permissions = { rules: rulesOf(value, root, file, at) };
      continue;
    }
    for (const issue of parsed.error.issues.slice(0, 5)) {
      const where =
        findNodeAtLocation(root, [name, ...deepest(issue).map((step) => (typeof step === "symbol" ? String(step) : step))]) ?? property;
      diagnostics.push({ file, ...at(where.offset), message: `${[name, ...deepest(issue)].map(String).join(".")}: ${issue.message}` });
    }
    if (name === "permissions") permissions = lastGood(file, before);
  }
  return { config, ...permissions, diagnostics };
}

const isPart = (name: string): name is keyof typeof parts => Object.hasOwn(parts, name);

const didYouMean = (name: string): string => {
  const known = nearest(name, Object.keys(parts));
  return known ? ` Did you mean "${known}"?` : ` The keys are: ${Object.keys(parts).join(", ")}.`;
};

const deepest = (issue: z.core.$ZodIssue): PropertyKey[] => issue.path;

/** Both forms in one: a list of rules, or actions with an effect or with resources, in the order of the file. */
function rulesOf(value: unknown, root: Node, file: string, at: (offset: number) => { line: number; column: number }): PlacedRule[] {
  const place = (rule: Rule, location: (string | number)[]): PlacedRule => {
    const node = findNodeAtLocation(root, ["permissions", ...location]);
    return { ...rule, layer: "user", source: `${path.basename(file)}:${at(node?.offset ?? 0).line}` };
  };
  const list = parts.permissions.options[0].safeParse(value);
  if (list.success) return list.data.map((rule, i) => place(rule, [i]));
  const table = parts.permissions.options[1].parse(value);
  return Object.entries(table).flatMap(([action, said]) =>
    typeof said === "string"
      ? [place({ action, resource: "*", effect: said }, [action])]
      : Object.entries(said).map(([resource, effect]) => place({ action, resource, effect }, [action, resource])),
  );
}

/** What holds while the rules cannot be read: those of before, else nothing that would have to be asked. */
const lastGood = (file: string, before: Loaded | undefined): Pick<Loaded, "rules" | "insteadOfAsking"> =>
  before
    ? { rules: before.rules, insteadOfAsking: before.insteadOfAsking }
    : {
        rules: [],
        insteadOfAsking: { action: "*", resource: "*", effect: "deny", layer: "ceiling", source: `${path.basename(file)} is broken` },
      };

function valueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(
    (node.children ?? []).map(({ children }) => [String(children?.[0]?.value), children?.[1] && valueOf(children[1])]),
  );
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
