import type { Access, AccessVerdict, Rule, Verdict } from "../protocol/rule.ts";
import { actionTable } from "../tool/tool-table.ts";

/**
 * The narrowest rule that would have answered by itself. Undefined where none could: several things ask that are not
 * parts of one text, or one that asks each time. `asked` is what the call itself said that it touches.
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
  if (proposes === "host") return hostOf(resource);
  const useful = proposes === "program" ? commandFor(resource) : undefined;
  if (useful !== undefined) return useful;
  return /[*?]/.test(resource) ? { exact: resource } : resource;
}

/** `https://example.com/*`: a host is what a person trusts or not. */
function hostOf(resource: string): Rule["resource"] {
  const host = /^https?:\/\/[^/*?]+/.exec(resource)?.[0];
  return host === undefined ? { exact: resource } : `${host}/*`;
}

/** Programs whose sub-command says what they do, and how many words name it; `run` takes the name of a script as well. */
const NAMED: Record<string, RegExp> = {
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

/** Program and sub-command with any arguments, for programs that are known to stay what they are; never an interpreter. */
function commandFor(resource: string): string | undefined {
  const name = resource.split(" ", 1)[0] ?? "";
  const named = Object.hasOwn(NAMED, name) ? NAMED[name]?.exec(resource)?.[0] : undefined;
  return named === undefined || /[*?]/.test(named) ? undefined : `${named} *`;
}
