import { isRecord } from "@baton/core/text/json";
import { parsedJson } from "./coerce-argument.ts";

type Call = { tool: string; input: unknown };

const HERE_DOCUMENT = /^\s*(?:apply_patch|applypatch)\s*<<-?\s*(["']?)(\w+)\1[ \t]*\n[\s\S]*\n[ \t]*\2\s*$/;
const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash"]);

/**
 * Reads a command that is a list of arguments, as the shell tools of Codex send it. A command that only applies a patch becomes a call of
 * `apply_patch`, which has its own permission.
 */
export function commandCall(call: Call): Call {
  if (call.tool !== "run_command" || !isRecord(call.input)) return call;
  const key = ["command", "cmd"].find((name) => isRecord(call.input) && call.input[name] !== undefined);
  const given = key === undefined ? undefined : call.input[key];
  if (key === undefined) return call;
  const list = argumentList(given);
  if (list?.length === 2 && list[0] === "apply_patch") return { tool: "apply_patch", input: { patch: list[1] } };
  const command = list ? commandOf(list) : given;
  if (typeof command === "string" && HERE_DOCUMENT.test(command)) return { tool: "apply_patch", input: { patch: command } };
  return list ? { tool: call.tool, input: { ...call.input, [key]: command } } : call;
}

/** The list in `["bash", "-lc", "ls"]`, which may be a JSON text. */
function argumentList(given: unknown): string[] | undefined {
  const value = typeof given === "string" && /^\s*\[\s*"/.test(given) ? parsedJson(given) : given;
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string") ? value : undefined;
}

function commandOf(list: readonly string[]): string {
  const [program = "", option = "", script] = list;
  if (list.length === 3 && script !== undefined && SHELLS.has(program) && /^-l?c$/.test(option)) return script;
  return list.map((each) => (/^[\w./:=@%+,-]+$/.test(each) ? each : `'${each.replaceAll("'", `'\\''`)}'`)).join(" ");
}
