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
      const list = isFor && values.length === (type === "ForStatement" ? 1 : 2) ? values.at(-1) : undefined;
      const value = type === "AssignStatement" && values.length === 1 ? values[0] : undefined;
      if (first?.type === "VariableName" && more.length === 0 && type !== "ArgList" && (list ?? value))
        add(first.text, list ? { each: list } : value && { value });
      else if (type === "ForStatement" && list && targets.length === 3 && targets.every((each) => each.type === "VariableName"))
        for (const [at, each] of targets.entries()) add(each.text, { each: list, at, folders: targets[1]?.text ?? "" });
      else if (type !== "ArgList" || parts.some((each) => each.type === "for")) for (const target of targets) addAll(target);
    } else if (type === "FunctionDefinition") {
      const [name, list] = [parts.find((each) => each.type === "VariableName"), parts.find((each) => each.type === "ParamList")];
      if (name) add(name.text, undefined);
      const params = list?.parts.filter((each) => /^[A-Z*]/.test(each.type)) ?? [];
      const isPlain = name !== undefined && params.every((each) => /^(VariableName|TypeDef)$/.test(each.type));
      for (const [at, each] of params.filter((param) => param.type === "VariableName").entries())
        add(each.text, isPlain ? { of: name.text, at } : undefined);
    } else if (type === "ParamList" && !isDefinition) {
      for (const each of parts) if (each.type === "VariableName") add(each.text, undefined);
    }
    for (const each of parts) collect(each, type === "FunctionDefinition");
  };
  collect(script);
  return sources;
}

/** True if the code sets a name once and then only loops over its value. `filters`: it may also leave out elements, as in `a[:] = [b for b in a if …]`. */
export function isOnlyLoopedOver(name: string, { names, lists, text }: Uses, filters = false): boolean {
  const others = (names.get(name) ?? 0) - (lists.get(name) ?? 0) - 1;
  return others === 0 || (filters && others === 1 && new RegExp(String.raw`\b${name}\[:\] = \[(\w+) for \1 in ${name} if `).test(text));
}

export function usesOf(script: Part): Uses {
  const [names, lists, calls] = [new Map<string, number>(), new Map<string, number>(), new Map<string, Part[]>()];
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const collect = (part: Part): void => {
    const { type, text, parts } = part;
    const [callee, list] = parts;
    if (type === "VariableName") count(names, text);
    if (type === "CallExpression" && callee?.type === "VariableName" && list)
      calls.set(callee.text, [...(calls.get(callee.text) ?? []), list]);
    for (const [i, each] of parts.entries()) {
      if (each.type === "VariableName" && parts[i - 1]?.type === "in" && BINDING.has(type)) count(lists, each.text);
      collect(each);
    }
  };
  collect(script);
  return { names, lists, calls, text: script.text };
}
