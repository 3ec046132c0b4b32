import type { Access, AccessVerdict, Rule, Verdict } from "../protocol/rule.ts";
import { actionTable } from "../tool/tool-table.ts";

/**
 * The narrowest rule that would have allowed the call without asking. Undefined if there is none: several accesses ask that do not
 * belong to one command, or one access must ask every time. `asked`: the accesses that the call itself declares.
 */
export function proposeRule({ accesses }: Verdict, asked: readonly Access[]): Rule | undefined {
  const asking = accesses.filter(({ effect }) => effect === "ask");
  const [only, ...more] = asking;
  if (!only || asking.some(({ rule }) => rule?.once)) return undefined;
  const [whole, ...others] = asked;
  if (more.length > 0) return whole?.action === "command" && others.length === 0 ? exactly(whole) : undefined;
  if (only.rule?.layer === "gate") return whole?.action === "command" ? exactly(whole) : exactly(only);
  return { action: only.action, resource: resourceFor(only), effect: "allow" };
}

const exactly = ({ action, resource }: Access): Rule => ({ action, resource: { exact: resource }, effect: "allow" });

function resourceFor({ action, resource }: AccessVerdict): Rule["resource"] {
  const proposes = actionTable.find(({ name }) => name === action)?.proposes;
  if (proposes === "host") return hostPattern(resource);
  const useful = proposes === "program" ? programPattern(resource) : undefined;
  if (useful !== undefined) return useful;
  return /[*?]/.test(resource) ? { exact: resource } : resource;
}

/** `https://example.com/*`: users trust or distrust a whole host. */
function hostPattern(resource: string): Rule["resource"] {
  const host = /^https?:\/\/[^/*?]+/.exec(resource)?.[0];
  return host === undefined ? { exact: resource } : `${host}/*`;
}

/** Programs whose subcommand says what they do. Each expression matches the words that name it, with the script of `run`. */
const SUBCOMMANDS: Record<string, RegExp> = {
  git: /^git (?:add|commit|fetch|pull|switch|stash|merge|restore|tag|branch|log|diff|show|rebase|cherry-pick|mv)(?= |$)/,
  npm: /^npm (?:test|t|ci|install|i|run [\w:.-]+)(?= |$)/,
  pnpm: /^pnpm (?:test|install|i|build|lint|run [\w:.-]+)(?= |$)/,
  yarn: /^yarn (?:test|install|build|lint|run [\w:.-]+)(?= |$)/,
  npx: /^npx [\w@][\w@/.-]*(?= |$)/,
  cargo: /^cargo (?:build|test|check|clippy|fmt|run|bench|doc)(?= |$)/,
  go: /^go (?:build|test|vet|fmt|mod|generate)(?= |$)/,
  make: /^make [\w.-]+(?= |$)/,
  gh: /^gh (?:pr|issue|run|repo) (?:list|view|status|checks|diff)(?= |$)/,
  docker: /^docker (?:ps|logs|images|build|compose (?:up|ps|logs|build))(?= |$)/,
  pip: /^pip (?:install|list|show|freeze)(?= |$)/,
  pytest: /^pytest(?= |$)/,
  tsc: /^tsc(?= |$)/,
  eslint: /^eslint(?= |$)/,
  prettier: /^prettier(?= |$)/,
  vitest: /^vitest(?= |$)/,
  mkdir: /^mkdir(?= |$)/,
  touch: /^touch(?= |$)/,
};

/** Calls that install what the project lists. With any arguments, they would install any package. */
const INSTALLS_LISTED = /^(?:npm|pnpm|yarn|pip) (?:install|i)(?: -\S+| \S+\.txt)*$/;

/** The program and its subcommand with any arguments. Only for known programs, never for an interpreter. */
function programPattern(resource: string): string | undefined {
  const name = resource.split(" ", 1)[0] ?? "";
  const command = Object.hasOwn(SUBCOMMANDS, name) && !INSTALLS_LISTED.test(resource) ? SUBCOMMANDS[name]?.exec(resource)?.[0] : undefined;
  return command === undefined || /[*?]/.test(command) ? undefined : `${command} *`;
}
