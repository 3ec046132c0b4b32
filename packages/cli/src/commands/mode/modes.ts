import path from "node:path";
import type { Group } from "@baton/core/protocol/mode";
import type { Rule } from "@baton/core/protocol/rule";
import { resourceText } from "@baton/core/text/rule-text";
import { groupLimitsText } from "@baton/core/text/tool-group-limits-text";
import { sanitize, oneLine } from "@baton/core/text/sanitize";
import { shortenHome } from "@baton/core/text/format";
import { hangingIndent, contentWidth, type TerminalStyle } from "../../render/layout.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { type Api, withConnection } from "../../connection/daemon-connection.ts";
import { fetchModeColors, terminalStyle, printJson, printLines } from "../output.ts";

type ListedMode = Awaited<ReturnType<Api["mode"]["list"]["query"]>>["modes"][number];

/** Lists the modes of a folder: purpose, tool groups, source, and the modes they override. */
export async function listModes({ json = false, cwd = "." }: { json?: boolean; cwd?: string }): Promise<void> {
  await withConnection(async ({ api }) => {
    const { modes, diagnostics } = await api.mode.list.query({ cwd: path.resolve(cwd) });
    if (json) return printJson({ modes, diagnostics });
    const style = terminalStyle(process.stdout, new Map(modes.map(({ slug, hue }) => [slug, hue])));
    printLines(modes.flatMap((mode) => modeLines(mode, style)));
    printDiagnostics(diagnostics, style);
  });
}

const WIDTH = 16;

function modeLines(mode: ListedMode, style: TerminalStyle): string[] {
  const { slug, description, groups } = mode;
  const { ansi } = style;
  const rest = " ".repeat(WIDTH);
  return [
    ...hangingIndent(
      oneLine(description || mode.name),
      `${ansi.mode(slug)}${" ".repeat(Math.max(1, WIDTH - slug.length))}`,
      contentWidth(style),
      {
        rest,
      },
    ),
    ...hangingIndent(ansi.dim(groups.map(groupText).join(", ") || "no groups"), rest, contentWidth(style)),
    ...(mode.source === "builtin" ? [] : hangingIndent(ansi.dim(sourceText(mode, style)), rest, contentWidth(style))),
  ];
}

function sourceText({ source, plugin, filePath = "", line, shadows, inert }: ListedMode, { home }: TerminalStyle): string {
  const before = shadows.map((shadow) => (shadow.source === "builtin" ? "the built-in one" : shortenHome(shadow.filePath ?? "", home)));
  return [
    `${plugin === undefined ? source : `plugin ${plugin}`}, ${shortenHome(filePath, home)}${line === undefined ? "" : `:${line}`}`,
    ...(before.length === 0 ? [] : [`overrides ${before.join(", ")}`]),
    ...(inert ? ["ignored until the folder is trusted"] : []),
  ].join(" · ");
}

export function groupText(group: Group): string {
  if (typeof group === "string") return group;
  const limits = groupLimitsText(group);
  return limits.length === 0 ? group.name : `${group.name} (${limits.join(", ")})`;
}

const ruleText = ({ action, resource, effect }: Rule): string => `${action} ${resourceText(resource)} ${effect}`;

const toolsText = (tools: ListedMode["tools"]): string | undefined =>
  tools && [tools.allow && `only ${tools.allow.join(", ")}`, tools.deny && `not ${tools.deny.join(", ")}`].filter(Boolean).join("; ");

const tableText = (table: object | undefined): string | undefined =>
  table &&
  Object.entries(table)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");

/** Prints every field of one mode. */
export async function showMode(slug: string, { json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const { mode, diagnostics } = await api.mode.show.query({ cwd: process.cwd(), slug });
    if (json) return printJson({ mode, diagnostics });
    const style = terminalStyle(process.stdout, await fetchModeColors(api));
    const fields: [string, string | undefined][] = [
      ["when to use", mode.whenToUse],
      ["role", mode.roleDefinition],
      ["instructions", mode.customInstructions],
      ["rules", mode.customRules?.map((rule) => `- ${rule}`).join("\n")],
      ["system prompt", mode.systemPrompt],
      ["allowed files", mode.allowedFilePaths?.join(", ")],
      ["disallowed files", mode.disallowedFilePaths?.join(", ")],
      ["model", mode.model && [mode.model.provider, mode.model.id].filter(Boolean).join("/")],
      ["model address", mode.model?.baseUrl],
      ["temperature", mode.model?.temperature?.toString()],
      ["top p", mode.model?.topP?.toString()],
      ["max steps per turn", mode.maxSteps?.toString()],
      ["kind", mode.kind],
      ["tools", toolsText(mode.tools)],
      ["permissions", mode.permissions?.map(ruleText).join("\n")],
      ["delegates to", mode.subagents?.join(", ")],
      ["switches to", mode.switchTargets?.join(", ")],
      ["variables", tableText(mode.variables)],
      ["flags", tableText(mode.experimentalFeatures)],
      ["icon", mode.icon],
      ["highlighted lines", mode.highlightRange?.join(" to ")],
      ["group name", mode.groupName],
      ["argument hint", mode.argumentHint],
      ["hidden", mode.hidden?.toString()],
      ["other fields", tableText(mode.extra)],
    ];
    const texts = fields.filter((field): field is [string, string] => (field[1] ?? "") !== "");
    printLines([
      ...modeLines(mode, style),
      ...texts.flatMap(([name, text]) => [
        "",
        style.ansi.dim(name),
        ...sanitize(text)
          .split("\n")
          .flatMap((line) => hangingIndent(line, "  ", contentWidth(style))),
      ]),
    ]);
    printDiagnostics(diagnostics, style);
  });
}
