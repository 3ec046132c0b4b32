import { isRecord } from "@baton/core/text/json";
import { applyEdits, modify, parse } from "jsonc-parser";

type Entry = Record<string, unknown>;

/**
 * Changes or removes (`undefined`) one mode in a file of modes. Comments, the order and other entries remain. Undefined if the file does not
 * have the mode.
 */
export async function changeModeEntry(file: string, text: string, slug: string, change: Entry | undefined): Promise<string | undefined> {
  return /\.jsonc?$/.test(file) || /^\s*[{[]/.test(text) ? changeJson(text, slug, change) : changeYaml(text, slug, change);
}

function changeJson(text: string, slug: string, change: Entry | undefined): string | undefined {
  const root: unknown = parse(text, [], { allowTrailingComma: true });
  const path = pathTo(root, slug);
  if (!path) return undefined;
  const options = { formattingOptions: { insertSpaces: true, tabSize: 2 } };
  if (!change) return applyEdits(text, modify(text, path, undefined, options));
  return Object.entries(change).reduce((now, [key, value]) => applyEdits(now, modify(now, [...path, key], value, options)), text);
}

async function changeYaml(text: string, slug: string, change: Entry | undefined): Promise<string | undefined> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text);
  const path = pathTo(document.toJS(), slug);
  if (!path) return undefined;
  if (!change) document.deleteIn(path);
  else
    for (const [key, value] of Object.entries(change)) {
      if (value === null) document.deleteIn([...path, key]);
      else document.setIn([...path, key], document.createNode(value));
    }
  return document.toString({ lineWidth: 0 });
}

function pathTo(root: unknown, slug: string): (string | number)[] | undefined {
  const [key, list] = Array.isArray(root) ? [undefined, root] : inKey(root);
  const index = list.findIndex((item: unknown) => isRecord(item) && item["slug"] === slug);
  return index < 0 ? undefined : [...(key === undefined ? [] : [key]), index];
}

function inKey(root: unknown): [string | undefined, unknown[]] {
  for (const key of ["customModes", "modes"]) if (isRecord(root) && Array.isArray(root[key])) return [key, root[key]];
  return [undefined, []];
}
