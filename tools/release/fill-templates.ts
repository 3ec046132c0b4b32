import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Files of the package itself, which stagePackage places. */
const IN_PACKAGE = new Set(["baton.cjs"]);

/** Copies every template to `to`, and replaces `{{name}}` by the value of that name. Throws for an unknown name. */
export function fillTemplates(from: string, to: string, values: Readonly<Record<string, string>>): void {
  for (const name of readdirSync(from)) {
    if (IN_PACKAGE.has(name)) continue;
    const [source, target] = [path.join(from, name), path.join(to, name)];
    if (statSync(source).isDirectory()) {
      mkdirSync(target, { recursive: true });
      fillTemplates(source, target, values);
      continue;
    }
    const text = readFileSync(source, "utf8").replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
      const value = values[key];
      if (value === undefined) throw new Error(`${source}: there is no value for {{${key}}}.`);
      return value;
    });
    writeFileSync(target, text, { mode: statSync(source).mode });
  }
}
