import type { Effect, Resource, Rule } from "@baton/core/protocol/rule";
import * as z from "zod";
import { toAddressResources, toCommandResource, toPathResources, type PathResources } from "./claude-path.ts";

const List = z.array(z.string()).default([]);

/** What of the settings of Claude Code are rules. */
export const ClaudeSettings = z.object({ permissions: z.object({ allow: List, ask: List, deny: List }) });

/** What has to be told of a rule that says nothing here. */
export const ignoredRuleNote = (rule: string): string => `Says nothing here, so it was left out: ${rule}.`;

/** There a deny beats an ask, and an ask an allow; here the last rule wins, so the denies come last. */
export function importClaudeRules(
  { allow, ask, deny }: z.infer<typeof ClaudeSettings>["permissions"],
  home: string,
): { rules: Rule[]; notes: string[] } {
  const of = (entries: readonly string[], effect: Effect) =>
    entries.map((entry) => ({ entry, effect, ...accessesOf(entry, effect, home) }));
  const read = [...of(allow, "allow"), ...of(ask, "ask"), ...of(deny, "deny")];
  return {
    rules: read.flatMap(({ accesses, effect }) => accesses.map(([action, resource]): Rule => ({ action, resource, effect }))),
    notes: read.flatMap(({ entry, effect, accesses, told }) =>
      noteOf(entry, effect, told ?? (accesses.length === 0 ? "nothing" : undefined)),
    ),
  };
}

function noteOf(entry: string, effect: Effect, told: PathResources["told"] | "nothing"): string[] {
  switch (told) {
    case undefined:
      return [];
    case "nothing":
      return [ignoredRuleNote(entry)];
    case "not":
      return [
        effect === "allow"
          ? `It cannot be said exactly here, so it is not allowed: ${entry}.`
          : `It cannot be said here, so it was left out: ${entry}. Write a rule of your own for what it is to ${effect}.`,
      ];
    case "wider":
      return [`${entry} covers more here than there: ${effect === "deny" ? "it denies" : "it asks about"} whatever it may mean.`];
  }
}

type Accesses = { accesses: [action: string, resource: Resource][]; told?: PathResources["told"] | undefined };

/** `Bash(npm run test:*)`, `Read(./.env)`, `WebFetch(domain:example.com)`, `mcp__server__tool`, or a bare name. */
function accessesOf(entry: string, effect: Effect, home: string): Accesses {
  const server = /^mcp__(.+?)(?:__(.+))?$/.exec(entry);
  if (server) return { accesses: [["mcp", `${server[1]}__${server[2] ?? "*"}`]] };
  const [, name = "", within] = /^([A-Za-z]+)(?:\((.*)\))?$/s.exec(entry) ?? [];
  const said = within ?? "*";
  const files = (...actions: string[]): Accesses => {
    const { resources, told } = within === undefined ? { resources: ["*"] } : toPathResources(within, effect, home);
    return { accesses: actions.flatMap((action) => resources.map((resource): [string, Resource] => [action, resource])), told };
  };
  switch (name) {
    case "Bash":
      return { accesses: [["command", toCommandResource(said)]] };
    case "Read":
      return files("read");
    case "Grep":
      return files("search_text");
    case "Glob":
    case "LS":
      return files("list_files", "glob");
    case "Edit":
    case "Write":
    case "MultiEdit":
    case "NotebookEdit":
      return files("edit");
    case "WebFetch": {
      const host = /^domain:(.+)$/.exec(said)?.[1];
      return { accesses: (host === undefined ? ["*"] : toAddressResources(host, effect)).map((resource) => ["fetch", resource]) };
    }
    case "WebSearch":
      return { accesses: [["web_search", "*"]] };
    case "Task":
    case "Agent":
      return { accesses: [["new_task", said]] };
    case "Skill":
      return { accesses: [["skill", said]] };
    case "EnterPlanMode":
      return { accesses: [["enter_plan", "*"]] };
    case "ExitPlanMode":
      return { accesses: [["exit_plan", "*"]] };
    default:
      return { accesses: [] };
  }
}
