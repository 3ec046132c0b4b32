import type { FilesOfCode } from "../programs/program-types.ts";
import { PYTHON_ROOTS } from "../tables/harmless-identifiers.ts";
import { refuse } from "./unknown-code.ts";

/** One part of the code. `type`: the name that the grammar of Lezer gives to it, such as `CallExpression` or `for`. */
export type Part = { type: string; text: string; parts: Part[]; from: number };

/**
 * A source of the value of a variable: an expression, an element of a list, what calls of a function give to its parameter `at`, or the element `at`
 * of each tuple in a list, whose elements all get the names `names`. Anything else is undefined.
 */
export type Source = { value: Part } | Element | { of: string; at: number } | undefined;

export type Element = { each: Part; at?: number; names?: readonly string[] };

/**
 * `modules`: the names that the code gives to modules and their members. `globs`: the patterns of files that the code looks for. `sources`: what each
 * variable may hold. `uses`: how the code uses each name. `given`: the arguments of the code. `values`, `pathValues`: the texts and paths that the gate has
 * found for a variable.
 */
export type Scope = FilesOfCode & {
  modules: Map<string, string>;
  globs: string[];
  sources: ReadonlyMap<string, readonly Source[]>;
  uses: Uses;
  given: readonly string[] | undefined;
  values: Map<string, string[] | undefined>;
  pathValues: Map<string, string[] | undefined>;
};

/** Parts in which something gets a name: `x = 1`, `for x in y`, `with x as y`, `del x`. */
export const BINDING = new Set(
  `AssignStatement UpdateStatement DeleteStatement ForStatement WithStatement TryStatement NamedExpression ArrayComprehensionExpression
  DictionaryComprehensionExpression SetComprehensionExpression ComprehensionExpression ScopeStatement`.split(/\s+/),
);

/** Splits a part that gives names into the targets and the rest. */
export function targetsOf({ type, parts }: Part): { targets: Part[]; rest: Part[] } {
  const targets: Part[] = [];
  const rest: Part[] = [];
  const last = parts.findLastIndex((each) => each.type === "AssignOp" || each.type === "UpdateOp");
  const isWhole = type === "DeleteStatement" || type === "ScopeStatement";
  let isTarget = isWhole || type === "AssignStatement" || type === "UpdateStatement" || type === "NamedExpression";
  for (const [i, part] of parts.entries()) {
    if (/^(for|as)$/.test(part.type)) isTarget = true;
    else if (part.type === "in" || part.type === "Body" || i === last || (isTarget && part.type === "," && type === "WithStatement"))
      isTarget = false;
    if (/^[A-Z*]/.test(part.type) && !/^(Assign|Update)Op$/.test(part.type))
      (isTarget && part.type !== "TypeDef" ? targets : rest).push(part);
  }
  return { targets, rest };
}

/** Returns what an import names: the module of `from`, and each name with the one that the code gives to it. Undefined for a relative import and for `*`. */
export function importOf({ parts }: Part): { from: string | undefined; names: [name: string, own?: string][] } | undefined {
  const words = parts.map(({ text }) => text).join(" ");
  const found =
    /^(?:from (?<module>\w+(?: \. \w+)*) )?import (?:\( )?(?<names>\w+(?: \. \w+)*(?: as \w+)?(?: , \w+(?: \. \w+)*(?: as \w+)?)*)(?: ,)?(?: \))?$/.exec(
      words,
    );
  const list = found?.groups?.["names"]?.replaceAll(" . ", ".").split(" , ");
  const names = list?.map((each): [string, string?] => {
    const [name = "", own] = each.split(" as ");
    return own === undefined ? [name] : [name, own];
  });
  return names && { from: found?.groups?.["module"]?.replaceAll(" ", ""), names };
}

/** Returns the member of a module that the code names, such as `os.path.join`. A module itself is `os`. */
export function memberOf({ type, text, parts }: Part, scope: Scope): string | undefined {
  if (type === "VariableName") return scope.modules.get(text);
  const [object, sign, name] = parts;
  const module = type === "MemberExpression" && sign?.type === "." && object ? memberOf(object, scope) : undefined;
  return module !== undefined && PYTHON_ROOTS.has(module) ? `${module}.${name?.text}` : undefined;
}

/** The arguments of a call. `name`: for `encoding="utf-8"`. `sign`: for `*list`. */
export type Argument = { name?: string; sign?: string; value: Part };

/** Returns the arguments of a call. Undefined for a generator without brackets of its own. */
export function argumentsOf(list: Part | undefined): Argument[] | undefined {
  const found: Argument[] = [];
  let sign: string | undefined;
  for (let i = 1; list && i < list.parts.length - 1; i++) {
    const [part, operator, value] = list.parts.slice(i, i + 3);
    if (part?.type === "for") return undefined;
    if (part?.type === "AssignOp") refuse(); // `f(x := 1)`
    if (part?.type === "*" || part?.type === "**") sign = part.type;
    else if (part && part.type !== ",") {
      const isNamed = part.type === "VariableName" && operator?.text === "=" && value !== undefined;
      found.push({ value: isNamed ? value : part, ...(isNamed ? { name: part.text } : {}), ...(sign === undefined ? {} : { sign }) });
      if (isNamed) i += 2;
      sign = undefined;
    }
  }
  return found;
}

/**
 * How often each name occurs, how often as the list of a loop, how often the code leaves out some of its elements, and the
 * arguments of each call of it.
 */
export type Uses = {
  names: ReadonlyMap<string, number>;
  lists: ReadonlyMap<string, number>;
  filters: ReadonlyMap<string, number>;
  calls: ReadonlyMap<string, readonly Part[]>;
};

/** Returns the arguments of a call if they have no names and signs. */
export function plainArguments(list: Part | undefined): Part[] | undefined {
  const given = argumentsOf(list);
  return given?.every(({ name, sign }) => name === undefined && sign === undefined) ? given.map(({ value }) => value) : undefined;
}
