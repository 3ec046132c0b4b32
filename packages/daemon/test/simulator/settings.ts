import type { Rule } from "@baton/core/protocol/rule";
import type { LoadedConfig } from "../../src/config/load-config.ts";
import type { Coordination } from "../../src/session/session-dependencies.ts";
import type { Draws } from "./draws.ts";

/** An empty config. */
export const nothing: LoadedConfig = { file: "config.jsonc", config: {}, rules: [], diagnostics: [], lines: {} };

const rule = (action: string, effect: Rule["effect"]) => ({ action, resource: "*", effect, layer: "user", source: "test" }) as const;

const free = [rule("command", "allow"), rule("edit", "allow"), rule("new_task", "allow")];

const RULES: readonly LoadedConfig["rules"][] = [[], free, free, [rule("command", "allow")], [rule("edit", "deny")]];

/** A temporary config of the user. */
export function drawConfig(draws: Draws): LoadedConfig {
  const coordination = draws.pick<Coordination>(["auto", "ask", "off"]);
  return { ...nothing, config: { coordination }, rules: draws.pick(RULES) };
}
