import { oneLine } from "@baton/core/text/sanitize";
import { hangingIndent, contentWidth, keyHint, type TerminalStyle } from "../layout.ts";
import { formatAge, joinWithAnd } from "@baton/core/text/format";

/** The verb for each tool group. */
const GROUP_VERBS: Record<string, string> = {
  read: "read",
  edit: "edit files",
  command: "run commands",
  browser: "open pages",
  mcp: "use MCP tools",
  coordinator: "hand over to other modes",
  orchestrate: "delegate",
  plan: "begin or end a plan",
  configuration: "change toolsets",
};

/** `only`: the limits of the tool's group in the mode, if there are any. `freeInSandbox`: calls that stay in the sandbox do not ask. */
type OfferedTool = { group: string | null; effect: "allow" | "ask" | "deny"; only?: string | null; freeInSandbox?: boolean };

/** A sentence about what a mode may do: `code may read. It asks to edit files and run commands.` */
export function permissionSummary(mode: string, offered: readonly OfferedTool[], { ansi }: Pick<TerminalStyle, "ansi">): string {
  const verbs = (effect: "allow" | "ask") => {
    const groups = Object.keys(GROUP_VERBS).filter((group) => offered.some((tool) => tool.group === group && tool.effect === effect));
    return groups.map((group) => {
      const only = offered.find((tool) => tool.group === group && tool.only)?.only;
      const where = offered.some((tool) => tool.group === group && tool.freeInSandbox) ? " outside of the sandbox" : "";
      return `${GROUP_VERBS[group] ?? group}${only ? ` (${only.charAt(0).toLowerCase()}${only.slice(1)})` : ""}${where}`;
    });
  };
  const [may, asks] = [verbs("allow"), verbs("ask").filter((verb) => !verbs("allow").includes(verb))];
  return [
    ansi.mode(mode),
    may.length > 0 ? ` may ${joinWithAnd(may)}.` : " may do nothing without asking.",
    asks.length > 0 ? ` It asks to ${joinWithAnd(asks)}.` : "",
  ].join("");
}

type StartScreen = {
  version: string;
  folder: string;
  branch: string | undefined;
  mode: string;
  offered: readonly OfferedTool[];
  waiting: readonly { openedAt: number }[];
  problems: readonly string[];
};

/** The first lines of the terminal client. */
export function startLines({ version, folder, branch, mode, offered, waiting, problems }: StartScreen, style: TerminalStyle): string[] {
  const { ansi } = style;
  const oldest = Math.min(...waiting.map(({ openedAt }) => openedAt));
  const need = `◆ ${waiting.length} need${waiting.length === 1 ? "s" : ""} you`;
  return [
    ...hangingIndent(
      `${ansi.bold(`baton ${version}`)} ${ansi.dim(["", oneLine(folder), ...(branch === undefined ? [] : [oneLine(branch)])].join(" · ").trim())}`,
      "",
      contentWidth(style),
    ),
    ...hangingIndent(permissionSummary(mode, offered, style), "", contentWidth(style)),
    ...(waiting.length === 0
      ? []
      : hangingIndent(
          `${ansi.attention(need)}, the oldest for ${formatAge(style.now - oldest)}.  ${keyHint(style, "inbox", "opens the inbox.")}`,
          "",
          contentWidth(style),
        )),
    ...problems.flatMap((problem) => hangingIndent(oneLine(problem), `${ansi.failure("✗")} `, contentWidth(style))),
    "",
    ...hangingIndent(
      `Say what you want done.  ${ansi.dim(`@ file  / command  ${keyHint(style, "nextMode", "mode")}  ? keys`)}`,
      "",
      contentWidth(style),
    ),
  ];
}

export type ModelSources = {
  keys: readonly { name: string; provider: string }[];
  servers: readonly { name: string; url: string; models: readonly string[] }[];
  /** Advice about keys that the daemon does not have. */
  keyWarnings?: readonly string[];
};

/** The text for a user without a configured model: the findings of Baton, and the next step. */
export function noModelLines(
  problem: string,
  { keys, servers, keyWarnings = [] }: ModelSources,
  configFile: string,
  style: TerminalStyle,
): string[] {
  const { ansi } = style;
  const room = contentWidth(style);
  const first = keys[0]
    ? `${keys[0].provider}/<model>`
    : servers[0]
      ? `${servers[0].name}/${servers[0].models[0] ?? "<model>"}`
      : "provider/model";
  return [
    ...hangingIndent(ansi.bold(oneLine(problem)), "", room),
    "",
    ...keys.flatMap(({ name, provider }) => hangingIndent(`${name} ${ansi.dim(`is set: models of ${provider}`)}`, "  ✓ ", room)),
    ...servers.flatMap(({ name, url, models }) =>
      hangingIndent(
        `${name} ${ansi.dim(`answers at ${url}${models.length > 0 ? `: ${models.slice(0, 5).join(", ")}` : ""}`)}`,
        "  ✓ ",
        room,
      ),
    ),
    ...(keys.length + servers.length === 0
      ? hangingIndent("No API key is set, and no model server answers on its usual port.", "  – ", room)
      : []),
    ...keyWarnings.flatMap((text) => hangingIndent(text, "  ✗ ", room)),
    "",
    ...hangingIndent(
      `Baton keeps your choice as ${ansi.bold(`"model": "${first}"`)} in ${configFile}. \`baton help models\` explains it.`,
      "",
      room,
    ),
  ];
}
