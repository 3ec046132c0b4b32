import { parseSync } from "rolldown/utils";

export type Import = { specifier: string; line: number; typeOnly: boolean };

/** Finds every static, re-exporting and dynamic import of a file. Computed specifiers are not found. */
export function importsOf(file: string, text: string): Import[] {
  const { module, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  const found: Import[] = [];
  const add = (specifier: string, start: number, typeOnly: boolean) =>
    found.push({ specifier, line: text.slice(0, start).split("\n").length, typeOnly });

  for (const each of module.staticImports) add(each.moduleRequest.value, each.start, isTypeOnly(text.slice(each.start, each.end)));
  for (const each of module.staticExports) {
    const request = each.entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest;
    if (request) add(request.value, each.start, isTypeOnly(text.slice(each.start, each.end)));
  }
  for (const each of module.dynamicImports) {
    const specifier = /^(["'`])([^"'`$]*)\1$/.exec(text.slice(each.moduleRequest.start, each.moduleRequest.end))?.[2];
    if (specifier !== undefined) add(specifier, each.start, false);
  }
  return found;
}

/** `import { type A }` is not a type import: under `verbatimModuleSyntax` the module is still loaded. */
function isTypeOnly(statement: string): boolean {
  return /^(import|export)\s+type\b(?!\s+from\b|\s*,)/.test(statement);
}
