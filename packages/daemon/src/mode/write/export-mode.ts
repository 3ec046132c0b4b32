import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { Group, Mode } from "@baton/core/protocol/mode";
import { modelName } from "@baton/core/mode/mode-override";
import type { RulesFile } from "../mode-read-context.ts";
import { modeMarkdown } from "./mode-markdown.ts";

const exportFormats = ["own", "roo", "kilocodemodes", "claude", "opencode"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A mode for another program. `lost`: one sentence for each part that the program does not support. */
export type ModeExport = { text: string; fileName: string; lost: string[] };

export async function exportMode(mode: Mode, rulesFiles: readonly RulesFile[], format: ExportFormat): Promise<ModeExport> {
  const { stringify } = await import("yaml");
  const page = (header: object, body: string) => `---\n${stringify(header, { lineWidth: 120 })}---\n\n${body.trim()}\n`;
  switch (format) {
    case "own":
      return {
        text: await modeMarkdown(mode),
        fileName: `${mode.slug}.md`,
        lost: rulesFiles.map(({ relativePath }) => `The rules file ${relativePath} is not included.`),
      };
    case "roo": {
      const { entry, lost } = rooEntry(mode);
      const whole = { ...entry, ...(rulesFiles.length === 0 ? {} : { rulesFiles: [...rulesFiles] }) };
      return { text: stringify({ customModes: [whole] }, { lineWidth: 120 }), fileName: `${mode.slug}.yaml`, lost };
    }
    case "kilocodemodes": {
      const { entry, lost } = kilocodemodesEntry(mode);
      return { text: `${JSON.stringify([entry], undefined, 2)}\n`, fileName: ".kilocodemodes", lost };
    }
    case "claude": {
      const { tools, lost } = claudeTools(mode.groups);
      const model = mode.model?.id;
      const header = {
        name: mode.slug,
        description: mode.whenToUse || mode.description || mode.name,
        tools: tools.join(", "),
        ...omitUndefined({ model }),
      };
      return { text: page(header, bodyOf(mode)), fileName: `${mode.slug}.md`, lost: [...lost, ...lostFields(mode, ["model"])] };
    }
    case "opencode": {
      const { permission, lost } = opencodePermission(mode);
      const model = mode.model && modelName(mode.model);
      const header = {
        description: mode.description || mode.whenToUse || mode.name,
        mode: mode.kind ?? "all",
        ...omitUndefined({ model }),
        ...omitUndefined({ temperature: mode.model?.temperature }),
        ...omitUndefined({ steps: mode.maxSteps }),
        permission,
      };
      return {
        text: page(header, bodyOf(mode)),
        fileName: `${mode.slug}.md`,
        lost: [...lost, ...lostFields(mode, ["model", "maxSteps", "kind"])],
      };
    }
  }
}

/** The role, instructions and rules as one text, for programs with a single text. */
const bodyOf = ({ roleDefinition, customInstructions, customRules = [], systemPrompt = "" }: Mode): string =>
  [roleDefinition, customInstructions, customRules.map((rule) => `- ${rule}`).join("\n"), systemPrompt]
    .filter((text) => text !== "")
    .join("\n\n");

function rooEntry(mode: Mode): { entry: Record<string, unknown>; lost: string[] } {
  const lost: string[] = [];
  const groups = mode.groups.flatMap((group): unknown[] => {
    if (typeof group === "string") return isRoo(group) ? [group] : (lost.push(noGroup(group)), []);
    if (!isRoo(group.name)) return (lost.push(noGroup(group.name)), []);
    const { name, fileRegex, description, ...others } = group;
    for (const limit of Object.keys(others))
      lost.push(`The group ${name} is limited by ${limit}, which Roo Code does not support. It is wider there.`);
    const limits = { ...omitUndefined({ fileRegex, description }) };
    return [Object.keys(limits).length === 0 ? name : [name, limits]];
  });
  const { slug, name, roleDefinition, whenToUse, description } = mode;
  const customInstructions = [
    mode.customInstructions,
    (mode.customRules ?? []).map((rule) => `- ${rule}`).join("\n"),
    mode.systemPrompt ?? "",
  ]
    .filter((text) => text !== "")
    .join("\n\n");
  const texts = Object.entries({ whenToUse, description, customInstructions }).filter(([, text]) => text !== "");
  return { entry: { slug, name, roleDefinition, ...Object.fromEntries(texts), groups }, lost: [...lost, ...lostFields(mode, [])] };
}

/** An entry of a `.kilocodemodes` file, which is a JSON list. Its tools are groups without limits. */
function kilocodemodesEntry(mode: Mode): { entry: Record<string, unknown>; lost: string[] } {
  const lost: string[] = [];
  const tools = mode.groups.flatMap((group): string[] => {
    const { name, ...limits } = typeof group === "string" ? { name: group } : group;
    if (!isRoo(name)) return (lost.push(noGroup(name)), []);
    if (Object.keys(limits).length > 0) lost.push(`The limits of the group ${name} are not supported there. It is wider there.`);
    return [name];
  });
  const { slug, name, roleDefinition: role, description, customInstructions, icon, groupName, systemPrompt, customRules } = mode;
  const { allowedFilePaths, disallowedFilePaths, variables, experimentalFeatures, highlightRange, model } = mode;
  const apis = { apiProvider: model?.provider, apiModel: model?.id, apiBase: model?.baseUrl };
  const files = { allowedFilePaths, disallowedFilePaths };
  const all = { slug, name, role, groupName, description, customInstructions, tools, icon, ...apis, systemPrompt, customRules, ...files };
  const entry = { ...all, variables, experimentalFeatures, highlightRange };
  const known = ["allowedFilePaths", "disallowedFilePaths", "variables", "experimentalFeatures", "model"] as const;
  return {
    entry: Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)),
    lost: [...lost, ...lostFields(mode, known)],
  };
}

const isRoo = (name: string): boolean => ["read", "edit", "browser", "command", "mcp"].includes(name);
const noGroup = (name: string): string => `The group ${name} is not supported there.`;

/** Fields that change what a mode may do and that the other program does not support. */
function lostFields(mode: Mode, known: readonly (keyof Mode)[]): string[] {
  const deciding = [
    "allowedFilePaths",
    "disallowedFilePaths",
    "permissions",
    "tools",
    "model",
    "maxSteps",
    "subagents",
    "switchTargets",
    "variables",
    "experimentalFeatures",
    "kind",
  ] as const;
  return deciding
    .filter((field) => mode[field] !== undefined && !known.includes(field))
    .map((field) => `The field ${field} is not supported there.`);
}

const CLAUDE: Partial<Record<string, readonly string[]>> = {
  read: ["Read", "Grep", "Glob"],
  edit: ["Edit", "Write"],
  browser: ["WebFetch", "WebSearch"],
  command: ["Bash"],
  orchestrate: ["Agent"],
};

function claudeTools(groups: readonly Group[]): { tools: string[]; lost: string[] } {
  const lost: string[] = [];
  const tools = groups.flatMap((group) => {
    const name = typeof group === "string" ? group : group.name;
    if (typeof group !== "string")
      lost.push(`The group ${name} has limits that Claude Code does not support. Check what the agent may do.`);
    const known = CLAUDE[name];
    if (!known) lost.push(noGroup(name));
    return known ?? [];
  });
  return { tools, lost };
}

const OPENCODE: Record<string, string> = { read: "read", edit: "edit", command: "bash", browser: "webfetch", orchestrate: "task" };

function opencodePermission({ groups, permissions = [] }: Mode): { permission: Record<string, unknown>; lost: string[] } {
  const names = new Set<string>(groups.map((group) => (typeof group === "string" ? group : group.name)));
  const lost = groups.flatMap((group) => {
    if (typeof group === "string") return OPENCODE[group] || group === "mcp" ? [] : [noGroup(group)];
    return [
      `The group ${group.name} is limited by an expression or to some tools. opencode only supports wildcards, so it is closed there.`,
    ];
  });
  const closed = Object.entries(OPENCODE).filter(
    ([name]) => !names.has(name) || groups.some((group) => typeof group !== "string" && group.name === name),
  );
  if (permissions.length > 0) lost.push("The field permissions is not supported there.");
  return { permission: Object.fromEntries(closed.map(([, key]) => [key, "deny"])), lost };
}
