import path from "node:path";
import { attempt, readText } from "../files/path-on-disk.ts";
import { coveredPackages, scripts, type VerbTable } from "../tables/verb-tables.ts";
import { textOfAll, type Word } from "../words/word.ts";

/** Parts of task names that publish something to other people or remove it. */
const PUBLISHING =
  /^((re|un|auto)?(publish|deploy)\w*|(re)?releases?|upload\w*|push|drop|reset|purge|wipe|destroy|truncate|rollback|promote|ship|deliver|fresh|undo|nuke|jib|teardown|unlock|wrap(p(er?)?)?|sign|login|logout|flyway|liquibase|prod|production)$/;
/** Names that gradle also takes shortened: `depl` and `upArch`. */
const SHORTENED =
  "deploy release upload redeploy undeploy unpublish push drop reset purge wipe destroy truncate rollback promote deliver flyway liquibase teardown".split(
    " ",
  );
/** After these words, `release` and `prod` are kinds of builds. */
const BUILDING = /^(build|assemble|bundle|compile|lint|test|check|package|install|dev)$/;
const DATABASE =
  /^db:(migrate|migrate:(status|up|down)|seed|create|prepare|version|rollback|schema:dump|structure:dump|test:prepare|generate|push|pull|studio|start|up|lint|types|status|dump)$/;

/** True if the name of a task says that it acts elsewhere: `deploy`, `db:drop`, `publishAllPublications`. `assembleRelease` only builds. */
export function publishes(task: string): boolean {
  if (/(^|:)(?!iOS$)[a-z]([A-Z][a-z]?){1,3}$/.test(task)) return true; // gradle takes `dS` for `deployStaging`
  if (/(^|:)(properties$|p(?=[A-Z])|pu(b(l(is?)?)?)?(?=[A-Z]|$))/.test(task)) return true; // gradle prints passwords, and takes `pub` for `publish`
  const [, start = ""] = /(?:^|:)([a-z]{2,}(?=[A-Z])|[a-z]{4,}$)/.exec(task) ?? [];
  if (start !== "" && SHORTENED.some((name) => name !== start && name.startsWith(start))) return true;
  if (/(^|:)flyway(Info|Validate)$/.test(task)) return false;
  if (task.startsWith("db:")) return !DATABASE.test(task);
  const spaced = task.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2");
  const parts = spaced.toLowerCase().split(/[^a-z\d]+/);
  const isBuild = (part: string, i: number) =>
    /^(release|prod|production)$/.test(part) && parts.slice(0, i).some((each) => BUILDING.test(each));
  return parts.some((part, i) => PUBLISHING.test(part) && !isBuild(part, i));
}

/** The name of an environment is no verb. */
const ENVIRONMENT = /(?<![a-z])prod(uction)?(?![a-z])/gi;

/** Returns the first arguments of an unknown program if they say that it publishes or deletes: `fastlane release`, `hcloud server delete`. */
export function findPublishingVerb(words: readonly Word[]): string | undefined {
  const first = words.filter(({ text }) => !text.startsWith("-")).slice(0, 4);
  const isVerb = (text: string, i: number) =>
    !(text === "pub" && PACKAGES.test(first[i + 1]?.text ?? "")) &&
    (/^(delete|terminate)(-|$)/.test(text) ||
      (i < (/^(t|tasks?)$/.test(first[0]?.text ?? "") ? 3 : 2) && publishes(text.replaceAll(ENVIRONMENT, ""))));
  const at = first.findIndex(({ kind, text }, i) => kind === "literal" && /^\+?[a-z][\w:-]*$/i.test(text) && isVerb(text, i));
  return at < 0 ? undefined : textOfAll(first.slice(0, at + 1));
}

/** Verbs of `dart pub`, which manages packages. */
const PACKAGES = /^(get|upgrade|downgrade|outdated|deps|add|remove|run)$/;

/** True if a word is not a verb of the tool but a task of the project. The name of the task must not say that it publishes. */
export function isOrdinaryTask({ tasks }: VerbTable, { kind, text }: Word, cwds: readonly string[]): boolean {
  if (tasks === undefined || kind !== "literal" || publishes(text)) return false;
  const [stem = ""] = text.split(/[:.-]/);
  if (tasks === "any") return true;
  return (
    scripts.has(stem) ||
    coveredPackages.has(text) ||
    SOURCE.test(text) ||
    cwds.some((cwd) => scriptsOf(cwd).some(([name]) => name === text))
  );
}

const SOURCE = /^[\w./@-]+\.[mc]?[jt]sx?$/;

const FILES = ["package.json", "composer.json", "deno.json", "turbo.json", "nx.json"];

/** Returns the scripts and tasks of a folder with what they run. */
export const scriptsOf = (folder: string): [name: string, script: unknown][] =>
  FILES.flatMap((name) => {
    const text = readText(path.join(folder, name));
    const settings = text === undefined ? undefined : attempt(() => JSON.parse(text) as Record<string, object | undefined>);
    return ["scripts", "tasks", "pipeline", "targetDefaults"].flatMap((key) => Object.entries(settings?.[key] ?? {}));
  });
