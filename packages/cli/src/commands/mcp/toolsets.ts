import { omitUndefined } from "@baton/core/text/omit-undefined";
import { hangingIndent, contentWidth } from "../../render/layout.ts";
import { terminalStyle, printJson, printLines } from "../output.ts";
import { EXIT_CODES, CommandExit, usageError } from "../../connection/exit-codes.ts";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";

export type ToolsetOptions = { cwd?: string; profile?: string; session?: string; mode?: string; json?: boolean };

type Tool = Parameters<Api["toolset"]["act"]["mutate"]>[0]["tool"];
type Row = { name: string; description: string; toolCount: number; missing: string[]; changed: string[]; tokens: number; active: boolean };

/** Runs one of the toolset tools for the user and prints its result. */
async function runToolsetTool(
  tool: Tool,
  input: unknown,
  options: ToolsetOptions,
  format: (answer: Record<string, unknown>) => string[],
): Promise<void> {
  const { cwd = process.cwd(), profile, json = false } = options;
  await withConnection(async ({ api }) =>
    printResult(await api.toolset.act.mutate({ cwd, tool, input, ...omitUndefined({ profile }) }), json, format),
  );
}

/** Failures that the same command may not have another time. */
const LATER = new Set(["conflict", "denied", "limit", "unavailable"]);

function printResult(answer: Record<string, unknown>, json: boolean, format: (answer: Record<string, unknown>) => string[]): void {
  if (json) printJson(answer);
  if (answer["ok"] !== true) {
    const suggestions =
      Array.isArray(answer["suggestions"]) && answer["suggestions"].length > 0 ? ` (${answer["suggestions"].map(String).join(", ")})` : "";
    const code = LATER.has(String(answer["code"])) ? EXIT_CODES.failed : EXIT_CODES.usage;
    throw new CommandExit(json ? "" : `${String(answer["message"])}${suggestions}`, code);
  }
  if (!json) printLines(format(answer));
}

export const listToolsets = (options: ToolsetOptions): Promise<void> =>
  runToolsetTool("list-saved-toolsets", {}, options, ({ toolsets }) => {
    const rows = toolsets as Row[]; // the result of this tool
    const style = terminalStyle();
    if (rows.length === 0)
      return ["There are no toolsets. `baton toolsets build NAME TOOL...` creates one; `baton toolsets tools` lists the tools."];
    return rows.flatMap(({ name, description, toolCount, missing, changed, tokens, active }) =>
      hangingIndent(
        [
          `${name}  ${toolCount} tools, about ${tokens} tokens${description === "" ? "" : `  ${description}`}`,
          ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
          ...(changed.length > 0 ? [`changed: ${changed.join(", ")}`] : []),
        ].join(" · "),
        active ? "  ✓ " : "    ",
        contentWidth(style),
      ),
    );
  });

export const listTools = ({ server, query, ...options }: ToolsetOptions & { server?: string; query?: string }): Promise<void> =>
  runToolsetTool("list-available-tools", { limit: 500, ...omitUndefined({ server, query }) }, options, (answer) => {
    const style = terminalStyle();
    const tools = answer["tools"] as { namespacedName: string; description: string; tokens: number }[]; // the result of this tool
    if (tools.length === 0) return ["There are no tools. `baton mcp list` shows the state of the servers."];
    return tools.flatMap(({ namespacedName, description, tokens }) =>
      hangingIndent(style.ansi.dim(`${tokens} tokens · ${description}`), `  ${namespacedName}  `, contentWidth(style)),
    );
  });

export const createToolset = (
  name: string,
  tools: readonly string[],
  { description, replace = false, ...options }: ToolsetOptions & { description?: string; replace?: boolean },
): Promise<void> =>
  runToolsetTool(
    "build-toolset",
    { name, tools: tools.map((namespacedName) => ({ namespacedName })), replace, ...omitUndefined({ description }) },
    options,
    () => [
      options.profile === undefined
        ? `Saved ${name}. \`baton toolsets equip ${name} --session ID\` equips a session with it.`
        : `Saved ${name}. \`baton toolsets equip ${name} --profile ${options.profile}\` equips the clients of that profile with it.`,
    ],
  );

export const deleteToolset = (name: string, options: ToolsetOptions): Promise<void> =>
  runToolsetTool("delete-toolset", { name, confirm: true }, options, () => [`Deleted ${name}.`]);

/** Equips a session, the sessions in a mode, or the clients of a profile with a toolset. */
export async function equipToolsetCommand(
  name: string,
  { acceptChanges = false, ...options }: ToolsetOptions & { acceptChanges?: boolean },
): Promise<void> {
  const { session: sessionId, mode, json = false } = options;
  requireOneTarget(options);
  if (mode !== undefined)
    return equipMode(options, name, [
      `Sessions in ${mode} get the tools of ${name} with their next step, unless they have their own toolset.`,
    ]);
  if (sessionId === undefined)
    return runToolsetTool("equip-toolset", { name, acceptChanges }, options, () => [
      `Clients of the profile ${options.profile ?? "default"} now have the tools of ${name}.`,
    ]);
  return withConnection(async ({ api }) =>
    printResult(await api.toolset.equip.mutate({ sessionId, name, acceptChanges }), json, () => [
      `The session gets the tools of ${name} with its next step.`,
    ]),
  );
}

/** At most one target can be given. */
function requireOneTarget({ session, mode, profile }: ToolsetOptions): void {
  if ([session, mode, profile].filter((each) => each !== undefined).length > 1)
    throw usageError("Give one of --session, --mode and --profile.");
}

const equipMode = (
  { cwd = process.cwd(), mode = "", json = false }: ToolsetOptions,
  name: string | null,
  format: string[],
): Promise<void> =>
  withConnection(async ({ api }) => printResult(await api.toolset.equipMode.mutate({ cwd, mode, name }), json, () => format));

export async function unequipToolset(options: ToolsetOptions): Promise<void> {
  const { session: sessionId, mode, json = false } = options;
  requireOneTarget(options);
  if (mode !== undefined)
    return equipMode(options, null, [`Sessions in ${mode} get all tools with their next step, unless they have their own toolset.`]);
  if (sessionId === undefined)
    return runToolsetTool("unequip-toolset", {}, options, () => [
      `Clients of the profile ${options.profile ?? "default"} now have no tools of servers.`,
    ]);
  return withConnection(async ({ api }) =>
    printResult(await api.toolset.equip.mutate({ sessionId, name: null }), json, () => [
      "The session gets the tools of its mode with its next step.",
    ]),
  );
}
