import type { Effect, Resource, Rule } from "@baton/core/protocol/rule";
import { actionsForAgentTool } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { toAddressResources, toCommandResource, toPathResources, type PathResources } from "./claude-rule-patterns.ts";

const List = z.array(z.string()).default([]);

/** The part of Claude Code's settings that holds rules. */
export const ClaudeSettings = z.object({ permissions: z.object({ allow: List, ask: List, deny: List }) });

/** The note for a rule that has no meaning in Baton. */
export const ignoredRuleNote = (rule: string): string => `Baton has no such rule, so it was left out: ${rule}.`;

/** In Claude Code a deny wins over an ask, and an ask over an allow. In Baton the last rule wins, so the denies come last. */
export function importClaudeRules(
  { allow, ask, deny }: z.infer<typeof ClaudeSettings>["permissions"],
  home: string,
): { rules: Rule[]; notes: string[] } {
  const of = (entries: readonly string[], effect: Effect) =>
    entries.map((entry) => ({ entry, effect, ...accessesOf(entry, effect, home) }));
  const read = [...of(allow, "allow"), ...of(ask, "ask"), ...of(deny, "deny")];
  return {
    rules: read.flatMap(({ accesses, effect }) => accesses.map(([action, resource]): Rule => ({ action, resource, effect }))),
    notes: read.flatMap(({ entry, effect, accesses, inexact }) =>
      noteOf(entry, effect, inexact ?? (accesses.length === 0 ? "nothing" : undefined)),
    ),
  };
}

function noteOf(entry: string, effect: Effect, inexact: PathResources["inexact"] | "nothing"): string[] {
  switch (inexact) {
    case undefined:
      return [];
    case "nothing":
      return [ignoredRuleNote(entry)];
    case "not":
      return [
        effect === "allow"
          ? `Baton cannot express this rule exactly, so it does not allow anything: ${entry}.`
          : `Baton cannot express this rule, so it was left out: ${entry}. Write your own rule to ${effect} it.`,
      ];
    case "wider":
      return [
        `${entry} covers more in Baton than in Claude Code: Baton ${effect === "deny" ? "denies" : "asks about"} everything that it may mean.`,
      ];
  }
}

type Accesses = { accesses: [action: string, resource: Resource][]; inexact?: PathResources["inexact"] | undefined };

/** `Bash(npm run test:*)`, `Read(./.env)`, `WebFetch(domain:example.com)`, `mcp__server__tool`, or a bare name. */
function accessesOf(entry: string, effect: Effect, home: string): Accesses {
  const server = /^mcp__(.+?)(?:__(.+))?$/.exec(entry);
  if (server) return { accesses: [["mcp", `${server[1]}__${server[2] ?? "*"}`]] };
  const [, name = "", within] = /^([A-Za-z]+)(?:\((.*)\))?$/s.exec(entry) ?? [];
  const actions = actionsForAgentTool("claude", name);
  const { resources, inexact } = resourcesOf(actions[0] ?? "", within, effect, home);
  return { accesses: actions.flatMap((action) => resources.map((resource): [string, Resource] => [action, resource])), inexact };
}

const FILE_ACTIONS = ["read", "edit", "search_text", "list_files"];

/** The resources that the text in brackets means for an action. */
function resourcesOf(action: string, within: string | undefined, effect: Effect, home: string): PathResources {
  if (within === undefined || action === "enter_plan" || action === "exit_plan") return { resources: ["*"] };
  if (action === "command") return { resources: [toCommandResource(within)] };
  if (FILE_ACTIONS.includes(action)) return toPathResources(within, effect, home);
  if (action !== "fetch") return { resources: [within] };
  const host = /^domain:(.+)$/.exec(within)?.[1];
  return { resources: host === undefined ? ["*"] : toAddressResources(host, effect) };
}
