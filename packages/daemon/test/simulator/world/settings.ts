import type { Rule } from "@baton/core/protocol/rule";
import { checkSettings } from "../../../src/composition/sessions/configured-checks.ts";
import type { LoadedConfig } from "../../../src/config/load-config.ts";
import type { Coordination } from "../../../src/session/session-dependencies.ts";
import type { Draws } from "../draws.ts";

/** An empty config. */
export const nothing: LoadedConfig = { file: "config.jsonc", config: {}, rules: [], diagnostics: [], lines: {} };

const rule = (action: string, effect: Rule["effect"]) => ({ action, resource: "*", effect, layer: "user", source: "test" }) as const;

const free = [rule("command", "allow"), rule("edit", "allow"), rule("new_task", "allow")];

const RULES: readonly LoadedConfig["rules"][] = [[], free, free, [rule("command", "allow")], [rule("edit", "deny")]];

/** Checks of the user and of the project, of all changed files or of one kind, after an edit or at the end of a turn. */
const CHECKS: NonNullable<LoadedConfig["config"]["checks"]> = {
  commands: [
    { command: "make check", after: "edit" },
    { command: "lint $FILES", files: "*.txt" },
  ],
};
const PROJECT_CHECKS: LoadedConfig["config"]["checks"] = { commands: [{ command: "make all" }] };

/** Every fourth config has checks. One draw decides about both, so earlier seeds without checks play the same lives. */
const CHOICES: Coordination[] = ["auto", "ask", "off"];
const KINDS = 8;
const WITH_CHECKS = 6;

/** A temporary config of the user. */
export function drawConfig(draws: Draws): LoadedConfig {
  const drawn = draws.below(CHOICES.length * KINDS);
  const coordination = CHOICES[drawn % CHOICES.length] ?? "auto";
  const checks = Math.floor(drawn / CHOICES.length) >= WITH_CHECKS ? { checks: CHECKS } : {};
  return { ...nothing, config: { coordination, ...checks }, rules: draws.pick(RULES) };
}

/** The checks of a config. A project with checks has one of its own. */
export const simChecks = ({ config: { checks } }: LoadedConfig): ReturnType<typeof checkSettings> =>
  checkSettings(checks, checks && PROJECT_CHECKS);
