import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { SessionEvent } from "../../packages/core/src/protocol/event.ts";

const root = path.resolve(import.meta.dirname, "../..");
const pages = globSync(["*.md", "docs/**/*.md", "packages/*/README.md"], { cwd: root }).map((page) => page.replaceAll(path.sep, "/"));
const PACKAGES = ["core", "daemon", "cli", "web", "vscode"];

/** Text in backticks that names a source file or a folder of the repository. */
function pathsIn(text: string): string[] {
  const quoted = Array.from(text.matchAll(/`([\w@./-]+)`/g), ([, name = ""]) => name);
  return quoted.filter((name) => /^(packages|docs)\/\w|^(core|daemon|cli|web|vscode|tools)\/[\w./-]*\.(tsx?|mjs)$/.test(name));
}

/** `daemon/session/session.ts` is short for `packages/daemon/src/session/session.ts`. */
function isThere(name: string): boolean {
  const [first = "", ...rest] = name.split("/");
  const short = PACKAGES.includes(first) ? path.join("packages", first, "src", ...rest) : name;
  return existsSync(path.join(root, short)) || existsSync(path.join(root, name));
}

test("files that the documents name exist", () => {
  expect(pages.length).toBeGreaterThan(10);
  const missing = pages
    .filter((page) => page !== "docs/reports/reliability.md") // its paths are relative to packages/daemon
    .flatMap((page) =>
      pathsIn(readFileSync(path.join(root, page), "utf8"))
        .filter((name) => !isThere(name))
        .map((name) => `${page}: ${name}`),
    );
  expect(missing).toEqual([]);
});

test("the table for an event names every file with a case for each event", () => {
  const [, row = ""] = /^\| an event \|(.*)$/m.exec(readFileSync(path.join(root, "AGENTS.md"), "utf8")) ?? [];
  const events = SessionEvent.options.map(({ shape }) => shape.type.value);
  const sources = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file));
  const complete = sources.filter((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return events.every((type) => text.includes(`"${type}"`));
  });
  const named = pathsIn(row).filter((name) => !name.startsWith("packages/"));
  expect(complete.map((file) => file.replaceAll(path.sep, "/").replace(/^packages\/(\w+)\/src\//, "$1/")).toSorted()).toEqual(
    named.toSorted(),
  );
});

test("links between documents lead to a page, and to a heading if they name one", () => {
  const broken = pages.flatMap((page) => {
    const text = readFileSync(path.join(root, page), "utf8");
    const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link).filter((link) => !/^[a-z]+:/.test(link));
    return links.filter((link) => !leadsSomewhere(page, link)).map((link) => `${page}: ${link}`);
  });
  expect(broken).toEqual([]);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [file = "", heading] = link.split("#");
  const target = file === "" ? path.join(root, page) : path.resolve(root, path.dirname(page), file);
  if (!existsSync(target)) return false;
  return heading === undefined || headingsOf(readFileSync(target, "utf8")).includes(heading);
}

/** The anchors of a page's headings, as GitHub builds them. */
const headingsOf = (text: string): string[] =>
  Array.from(text.matchAll(/^#+ (.*)$/gm), ([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
