import { readFileSync } from "node:fs";
import path from "node:path";
import { packages, scripts, type Tool } from "../tables/tools.ts";
import type { Word } from "../shell/word.ts";

/** Parts of names of tasks that put something where others have it, or take it away. */
const PUBLISHING =
  /^(publish\w*|unpublish|deploy\w*|releases?|upload\w*|push|drop|reset|purge|wipe|destroy|truncate|rollback|promote|ship|fresh|undo|nuke|teardown|unlock|wrapper|sign|login|logout|flyway|liquibase|prod|production)$/;
/** Behind these, `release` and `prod` are kinds of builds. */
const BUILDING = /^(build|assemble|bundle|compile|lint|test|check|package|install|dev)$/;
const DATABASE =
  /^db:(migrate|migrate:(status|up|down)|seed|create|prepare|version|rollback|schema:dump|structure:dump|test:prepare|generate|push|pull|studio|start|up|lint|types)$/;

/** Whether a task is called by what it does elsewhere: `deploy`, `db:drop`, `publishAllPublications`; `assembleRelease` builds. */
export function publishes(task: string): boolean {
  if (task.startsWith("db:")) return !DATABASE.test(task);
  const parts = task
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const isBuild = (part: string, i: number) =>
    /^(release|prod|production)$/.test(part) && parts.slice(0, i).some((each) => BUILDING.test(each));
  return parts.some((part, i) => PUBLISHING.test(part) && !isBuild(part, i));
}

/** The first words of a program that nobody has a table for, where they say so: `fastlane release`, `cap production deploy`. */
export function publishingVerb(words: readonly Word[]): string | undefined {
  const first = words.filter(({ text }) => !text.startsWith("-")).slice(0, 2);
  const at = first.findIndex(({ kind, text }) => kind === "literal" && /^[a-z][\w:-]*$/i.test(text) && publishes(text));
  return at < 0
    ? undefined
    : first
        .slice(0, at + 1)
        .map(({ text }) => text)
        .join(" ");
}

/** Whether a word that is no verb of a tool is a task of the project, whose name does not say that it publishes. */
export function isOrdinaryTask({ tasks }: Tool, { kind, text }: Word, cwds: readonly string[]): boolean {
  if (tasks === undefined || kind !== "literal" || publishes(text)) return false;
  const [stem = ""] = text.split(/[:.-]/);
  return tasks === "any" || scripts.has(stem) || packages.has(text) || SOURCE.test(text) || cwds.some((cwd) => scriptsOf(cwd).has(text));
}

const SOURCE = /^[\w./@-]+\.[mc]?[jt]sx?$/;

function scriptsOf(folder: string): ReadonlySet<string> {
  const names = ["package.json", "composer.json", "deno.json"].flatMap((name) => {
    try {
      const settings = JSON.parse(readFileSync(path.join(folder, name), "utf8")) as { scripts?: object; tasks?: object };
      return [...Object.keys(settings.scripts ?? {}), ...Object.keys(settings.tasks ?? {})];
    } catch {
      return []; // there is no such file, or it names no scripts
    }
  });
  return new Set(names);
}
