import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { closestMatch } from "@baton/core/text/closest-match";

/** A page of the documentation. Its name is its path without `.md`, such as `permissions` or `guides/undo`. */
export type Topic = { name: string; title: string; file: string };

/** All pages, sorted by name. `decisions` and reports are for contributors, so they are left out. */
export function readTopics(folder = documentsFolder()): Topic[] {
  const pages = globSync("**/*.md", { cwd: folder }).map((page) => page.replaceAll(path.sep, "/"));
  return pages
    .filter((page) => !/^(decisions|reports)\/|README\.md$/.test(page))
    .toSorted()
    .map((page) => {
      const file = path.join(folder, page);
      const name = page.slice(0, -".md".length);
      return { name, title: /^# (.*)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? name, file };
    });
}

/** The page with that name. The folder may be left out if the rest of the name is not ambiguous. */
export function findTopic(name: string, topics: readonly Topic[]): Topic | undefined {
  const wanted = name.toLowerCase().replace(/\.md$/, "");
  const short = topics.filter((topic) => topic.name.endsWith(`/${wanted}`));
  return topics.find((topic) => topic.name === wanted) ?? (short.length === 1 ? short[0] : undefined);
}

const MAX_SUGGESTIONS = 3;

/** Names that the user may have meant, best first. */
export function suggestTopics(name: string, candidates: readonly string[]): string[] {
  const found: string[] = [];
  const left = [...candidates];
  while (found.length < MAX_SUGGESTIONS) {
    const next = closestMatch(name, left);
    if (next === undefined) break;
    found.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return found;
}

/** The build copies the pages beside the program. A checkout that is not built has them in its `docs` folder. */
function documentsFolder(): string {
  const packed = path.join(import.meta.dirname, "docs");
  return existsSync(packed) ? packed : path.resolve(import.meta.dirname, "../../../../../docs");
}
