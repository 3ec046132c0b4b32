import { omitUndefined } from "@baton/core/text/omit-undefined";
import path from "node:path";
import { ModeKind, type Group, type GroupName } from "@baton/core/protocol/mode";
import type { Rule } from "@baton/core/protocol/rule";
import { actionsForAgentTool } from "@baton/core/tool/tool-table";
import type { FieldReader } from "../field-reader.ts";
import { readPermissions } from "../field/permission.ts";
import { ReadContext, type FileProblem, type ModeReadResult, type ReadMode, type ModeScope } from "../mode-read-context.ts";
import { parseJsonNode } from "../parse/json.ts";
import { findEntry, type MapEntry, type MapNode } from "../parse/syntax-node.ts";
import { toSource } from "../parse/source-text.ts";
import { DEFAULT_AGENT_GROUPS, readAgent, type AgentFields } from "./agent-markdown.ts";
import { readMarkdown, type MarkdownFile } from "./markdown.ts";
import { realpath } from "node:fs/promises";
import { readStableFile } from "../read-stable-file.ts";

/** Agents of opencode and Kilo in markdown. Their name is their path below the folder of agents. */
export const readOpencodeAgent = (file: string, text: string, scope: ModeScope, name: string): Promise<ModeReadResult> =>
  readMarkdown(file, text, scope, (page, reading) => read({ ...page, name: nameOf(name, page) }, reading));

/** Agents in the folder of modes. Users can select them. */
export const readOpencodeMode = (file: string, text: string, scope: ModeScope): Promise<ModeReadResult> =>
  readMarkdown(file, text, scope, (page, reading) => read(page, reading, "primary"));

const nameOf = (name: string, page: MarkdownFile): string => (name.includes(path.sep) ? name.replace(/\.md$/, "") : page.name);

/** The agents in `opencode.json` or `kilo.json`. Other settings are only mentioned. */
export async function readOpencodeConfig(
  file: string,
  text: string,
  scope: ModeScope,
  _name?: string,
  problemOf: FileProblem = () => undefined,
): Promise<ModeReadResult> {
  const reading = new ReadContext(toSource(file, text), scope);
  const parsed = parseJsonNode(reading.source.text);
  reading.faults(parsed);
  const root = parsed.node?.kind === "map" ? parsed.node : undefined;
  if (!root) return { modes: [], faulty: [], broken: parsed.faults.length > 0, diagnostics: reading.diagnostics };
  const agents = ["agent", "mode"].flatMap((key) => {
    const value = findEntry(root, key)?.value;
    return value?.kind === "map" ? value.entries : [];
  });
  for (const { key, at, value } of root.entries) {
    const how = value.kind === "map" ? ELSEWHERE[key] : undefined;
    if (how !== undefined) reading.report(at, "info", "not_taken_over", `Baton does not use "${key}" of this file.`, how(file));
  }
  const modes: ReadMode[] = [];
  const faulty: string[] = [];
  for (const { key, value } of agents) {
    if (value.kind !== "map" || !hasPrompt(value)) continue; // settings of an agent that is defined elsewhere
    const header = await withPrompt(value, key, reading, problemOf);
    const found = header && read({ header, body: { at: value.at, text: "" }, name: key }, reading);
    if (found) modes.push(found);
    else faulty.push(key);
  }
  return { modes, faulty, broken: false, diagnostics: reading.diagnostics };
}

/** Other parts of the file that the user may want, and how to import them. */
const ELSEWHERE: Readonly<Record<string, (file: string) => string>> = {
  permission: (file) => `\`baton permissions import ${file}\` shows the rules and imports them with --write.`,
  mcp: (file) => `\`baton mcp import ${file}\` shows the servers and imports them with --write.`,
  command: () => "Put each command into its own file: .opencode/command/NAME.md.",
};

/** The agent with the files of its prompt inlined. Reports a file that cannot be read and returns undefined. */
async function withPrompt(agent: MapNode, slug: string, reading: ReadContext, problemOf: FileProblem): Promise<MapNode | undefined> {
  const prompt = findEntry(agent, "prompt");
  if (prompt?.value.kind !== "scalar" || typeof prompt.value.value !== "string") return agent;
  const { at } = prompt.value;
  const promptText = await inlineNamedFiles(prompt.value.value, { from: reading.source.file, root: rootOf(reading), problemOf });
  if ("text" in promptText) {
    const filled: MapEntry = { ...prompt, value: { kind: "scalar", at, value: promptText.text } };
    return { ...agent, entries: agent.entries.map((each) => (each === prompt ? filled : each)) };
  }
  reading.slug = slug;
  reading.error(at, "unreadable", promptText.problem, promptText.fix);
  reading.slug = undefined;
  return undefined;
}

/** The folder that a config may read from: its own, or the project if that is a hidden folder of it. */
function rootOf({ source, scope }: ReadContext): string {
  const folder = path.dirname(source.file);
  return scope === "project" && path.basename(folder).startsWith(".") ? path.dirname(folder) : folder;
}

const hasPrompt = (node: MapNode): boolean => findEntry(node, "prompt") !== undefined;

const read = (page: MarkdownFile, reading: ReadContext, forced?: "primary"): ReadMode | undefined =>
  readAgent(page, reading, (fields) => partsOf(fields, reading, forced));

function partsOf(fields: FieldReader, reading: ReadContext, forced?: "primary"): AgentFields {
  const kind = forced ?? ModeKind.safeParse(fields.text("mode")).data ?? "all";
  const rules = rulesOf(fields, reading);
  const steps = fields.number("steps", "maxSteps");
  const hidden = fields.flag("hidden");
  const tools = fields.map("tools");
  const off = tools?.entries.filter(({ value }) => value.kind === "scalar" && value.value === false).map(({ key }) => key) ?? [];
  const on = tools?.entries.filter(({ value }) => value.kind === "scalar" && value.value === true).map(({ key }) => key) ?? [];
  const denied = new Set([...off.map(actionOf), ...actionsWithEffect(rules, "deny")]);
  const opened = new Set([...on.map(actionOf), ...actionsWithEffect(rules, "allow"), ...actionsWithEffect(rules, "ask")]);
  const has = (group: Group): boolean => {
    const actions = GROUP_ACTIONS[group as GroupName] ?? [];
    const gone = (action: string) => denied.has(action) && !(denied.has("*") && opened.has(action) && !off.includes(action));
    return !actions.every(gone) && !(denied.has("*") && !actions.some((action) => opened.has(action)));
  };
  const groups: Group[] = [
    ...DEFAULT_AGENT_GROUPS.filter(has),
    ...(opened.has("new_task") && !denied.has("new_task") ? (["orchestrate"] as const) : []),
  ];
  const names = off.filter((tool) => NAMES[tool] !== undefined).flatMap((tool) => NAMES[tool] ?? []);
  const kept = rules.filter(({ action, resource }) => action !== "*" || resource !== "*");
  return {
    groups,
    kind,
    ...(kept.length === 0 ? {} : { permissions: kept }),
    ...(names.length === 0 ? {} : { tools: { deny: names } }),
    ...omitUndefined({ maxSteps: steps, hidden }),
  };
}

/** The permissions under Baton's names, in the order of the file. */
function rulesOf(fields: FieldReader, reading: ReadContext): Rule[] {
  const permission = fields.entry("permission", "permissions");
  if (!permission) return [];
  const node = permission.value;
  if (node.kind === "scalar") {
    const all: MapEntry = {
      key: permission.key,
      at: permission.at,
      value: { kind: "map", at: node.at, entries: [{ key: "*", at: node.at, value: node }] },
    };
    return readPermissions(all, reading);
  }
  return readPermissions(permission, reading).map((rule) => ({ ...rule, action: actionOf(rule.action) }));
}

/** The actions whose last rule for everything has this effect. */
function actionsWithEffect(rules: readonly Rule[], effect: Rule["effect"]): string[] {
  const actions = [...new Set(rules.map(({ action }) => action))];
  return actions.filter((action) => {
    const own = rules.filter((rule) => rule.action === action);
    return own.at(-1)?.resource === "*" ? own.at(-1)?.effect === effect : effect !== "deny" && own.some((rule) => rule.effect === effect);
  });
}

/** An action of opencode under Baton's name. */
const actionOf = (name: string): string => actionsForAgentTool("opencode", name)[0] ?? name;

/** Groups that opencode can switch off by denying their action. */
const GROUP_ACTIONS: Partial<Record<GroupName, readonly string[]>> = {
  read: ["read"],
  edit: ["edit"],
  browser: ["fetch"],
  command: ["command"],
  mcp: ["mcp"],
};

/** Tools that can be switched off alone. */
const NAMES: Record<string, readonly string[]> = {
  list: ["list_files"],
  grep: ["search_text"],
  glob: ["glob"],
  webfetch: ["fetch_url"],
  websearch: ["web_search"],
};

const FILE_REFERENCE = /\{file:([^}]+)\}/g;
const TEXT = /\.(?:md|mdc|txt|prompt)$/;

/**
 * Replaces `{file:PATH}` in a text by the content of the file. Paths are relative to the folder of `from`. Only text files below `root` are
 * read, and only if `problemOf` finds no problem. `problem` names the first file that is not.
 */
async function inlineNamedFiles(
  text: string,
  { from, root, problemOf }: { from: string; root: string; problemOf: FileProblem },
): Promise<{ text: string } | { problem: string; fix: string }> {
  const said = new Map<string, string>();
  for (const [whole, name = ""] of text.matchAll(FILE_REFERENCE)) {
    const file = path.resolve(path.dirname(from), name.trim());
    const strange = problemOf(file);
    if (strange !== undefined) return { problem: `${name.trim()} is not read. ${strange}`, fix: "Write the text here." };
    const found = await readBelow(file, root);
    if ("problem" in found)
      return { problem: `${name.trim()} ${found.problem}`, fix: `Put it below ${root} as .md or .txt, or write the text here.` };
    said.set(whole, found.text.trim());
  }
  return { text: text.replaceAll(FILE_REFERENCE, (whole) => said.get(whole) ?? whole) };
}

async function readBelow(file: string, root: string): Promise<{ text: string } | { problem: string }> {
  if (!TEXT.test(file)) return { problem: "is not a .md or .txt file, so Baton does not read it." };
  const [real, below] = await Promise.all([file, root].map((each) => realpath(each).catch(() => undefined)));
  if (real === undefined || below === undefined) return { problem: "does not exist." };
  if (!TEXT.test(real) || !real.startsWith(below + path.sep))
    return { problem: "is outside the folder of this file, so Baton does not read it." };
  const settled = await readStableFile(real);
  if (settled && "text" in settled) return settled;
  return { problem: settled ? `cannot be read: ${settled.message}` : "does not exist." };
}
