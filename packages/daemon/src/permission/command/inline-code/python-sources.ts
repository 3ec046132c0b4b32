import { BINDING, type Part, type Source, type Uses, targetsOf } from "./python-scope.ts";

/** Returns what each variable may hold. */
export function sourcesOf(script: Part): Map<string, Source[]> {
  const sources = new Map<string, Source[]>();
  const add = (name: string, source: Source) => sources.set(name, [...(sources.get(name) ?? []), source]);
  const addAll = (part: Part): void => {
    if (part.type === "VariableName") add(part.text, undefined);
    else if (part.type !== "MemberExpression") for (const each of part.parts) addAll(each);
  };
  const collect = (part: Part, isDefinition = false): void => {
    const { type, parts } = part;
    if (BINDING.has(type) || type === "ArgList") {
      const { targets, rest } = targetsOf(part);
      const [first, ...more] = targets;
      const isFor = type === "ForStatement" || type.endsWith("ComprehensionExpression");
      const values = rest.filter(({ type: each }) => !/^(Body|TypeDef|AssignOp)$/.test(each));
      // With a comma behind it, a value is a tuple.
      const start = parts.findLastIndex((each) => each.type === "in" || each.type === "AssignOp");
      const isTuple =
        parts.slice(start).some((each) => each.type === ",") ||
        (targets.length === 1 && parts.slice(0, start).some((each) => each.type === ","));
      const list = isFor && !isTuple && values.length === (type === "ForStatement" ? 1 : 2) ? values.at(-1) : undefined;
      const value = type === "AssignStatement" && !isTuple && values.length === 1 ? values[0] : undefined;
      if (first?.type === "VariableName" && more.length === 0 && type !== "ArgList" && (list ?? value))
        add(first.text, list ? { each: list } : value && { value });
      else if (list && type !== "ArgList" && targets.every((each) => each.type === "VariableName"))
        for (const [at, each] of targets.entries()) add(each.text, { each: list, at, names: targets.map(({ text }) => text) });
      else if (type !== "ArgList" || parts.some((each) => each.type === "for")) for (const target of targets) addAll(target);
    } else if (type === "FunctionDefinition") {
      const [name, list] = [parts.find((each) => each.type === "VariableName"), parts.find((each) => each.type === "ParamList")];
      if (name) add(name.text, undefined);
      const params = list?.parts.filter((each) => /^(VariableName|\*|AssignOp)/.test(each.type)) ?? [];
      const end = params.findIndex((each, i) => each.type === "*" || params[i + 1]?.type === "AssignOp"); // the others may have other values
      for (const [at, each] of params.entries())
        if (each.type === "VariableName") add(each.text, name && (end < 0 || at < end) ? { of: name.text, at } : undefined);
    } else if (type === "ParamList" && !isDefinition) {
      for (const each of parts) if (each.type === "VariableName") add(each.text, undefined);
    }
    for (const each of parts) collect(each, type === "FunctionDefinition");
  };
  collect(script);
  return sources;
}

/** True if the code sets a name once and then only loops over its value. It may also leave out elements, as in `a[:] = [b for b in a if …]`. */
export const isOnlyLoopedOver = (name: string, { names, lists, filters }: Uses): boolean =>
  names.get(name) === 1 + (lists.get(name) ?? 0) + (filters.get(name) ?? 0);

/** Returns the list of which the code leaves out elements here. */
function filteredIn({ type, parts: [target, , list, ...more] }: Part): string | undefined {
  if (type !== "AssignStatement" || more.length > 0 || list?.type !== "ArrayComprehensionExpression") return undefined;
  const name = /^(\w+)\[:\]$/.exec(target?.text ?? "")?.[1];
  const [, each, , variable, , source, condition, , end] = list.parts;
  const isOwn = each?.type === "VariableName" && each.text === variable?.text && source?.type === "VariableName" && source.text === name;
  return isOwn && condition?.type === "if" && end?.type === "]" ? name : undefined;
}

/** Returns the variable in `a`, `a.items()` and `sorted(a)`. */
function nameOfList({ type, text, parts: [callee, list] }: Part): string | undefined {
  if (type === "VariableName") return text;
  if (type !== "CallExpression" || !callee) return undefined;
  if (callee.text === "sorted" && list?.parts[1]) return nameOfList(list.parts[1]);
  const [object, , method] = callee.parts;
  return object?.type === "VariableName" && /^(items|keys)$/.test(method?.text ?? "") && list?.text === "()" ? object.text : undefined;
}

/** Returns how the code uses each name. */
export function usesOf(script: Part): Uses {
  const [names, lists, filters] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const calls = new Map<string, Part[]>();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const collect = (part: Part): void => {
    const { type, text, parts } = part;
    const [callee, list] = parts;
    const filtered = filteredIn(part);
    if (filtered !== undefined) count(filters, filtered);
    if (type === "VariableName") count(names, text);
    if (type === "CallExpression" && callee?.type === "VariableName" && list)
      calls.set(callee.text, [...(calls.get(callee.text) ?? []), list]);
    for (const [i, each] of parts.entries()) {
      const isList = parts[i - 1]?.type === "in" && parts[i + 1]?.type !== "," && BINDING.has(type);
      const name = isList ? nameOfList(each) : undefined;
      if (name !== undefined) count(lists, name);
      collect(each);
    }
  };
  collect(script);
  return { names, lists, filters, calls };
}
