import type { Actor } from "@baton/core/protocol/request";
import type { ApprovalStatus } from "@baton/core/text/approval-status-text";
import type { ResourceWatch } from "../system/commands/command-limit-watch.ts";
import type { ProgramCommand, Sandbox } from "../system/sandbox/sandbox.ts";
import type { NetworkEntry } from "../system/sandbox-network/sandbox-network.ts";
import { writesOf } from "./declared-access.ts";
import { openWritablePaths, type WritablePaths } from "./writable-paths.ts";
import { runWithInput } from "../system/commands/run-with-input.ts";
import { failed, type ToolExecutionResult, type Tool, type ToolContext } from "../tool/tool-types.ts";
import { openToolReader } from "./read-script-tools.ts";
import { scriptResult } from "./script-result.ts";
import { toScriptTool } from "./to-tool.ts";
import type { KnownTool, ToolFolder, ToolProblem } from "./tool-definition.ts";
import { toolQuestion, type ToolQuestion } from "./tool-question.ts";

export type ScriptTools = {
  /** The tools of a workspace, those without approval included. The list stays the same object while nothing changes. */
  of: (workspace: string) => readonly Tool[];
  /** All tools of a workspace, with the problems of their files. */
  list: (workspace: string) => { tools: readonly KnownTool[]; problems: readonly ToolProblem[] };
  /** The folders with tools that nobody has decided. */
  questions: (workspace: string) => ToolQuestion[];
  /** Whether a question about tools is still open: one of them has not changed and was not decided. */
  isOpen: (workspace: string, hashes: readonly string[]) => boolean;
  settle: (workspace: string, hashes: readonly string[], approved: boolean, by: Actor) => Promise<void>;
};

type ScriptToolsOptions = {
  /** The folders for a workspace. The project's only if the user trusts it. */
  folders: (workspace: string) => readonly ToolFolder[];
  /** Finds an installed program by its name. */
  find: (program: string) => string | undefined;
  approval: (workspace: string, hash: string) => ApprovalStatus;
  approve: (workspace: string, hashes: readonly string[], approved: boolean, by: Actor) => Promise<void>;
  env: () => Readonly<Record<string, string>>;
  /** The sandbox in which scripts run: it lets them change only the paths, and reach only the hosts, that they declare. */
  sandbox: () => Promise<Sandbox | undefined>;
  /** Opens a network that leads only to these hosts. A text says why there is none. */
  network: (sessionId: string, hosts: readonly string[]) => Promise<NetworkEntry | string>;
  watch: ResourceWatch;
  /** Begins the tag of all processes. */
  bootId: string;
};

const EVERYWHERE = "*";

/** Opens the tools of the user's config folder and of trusted projects. */
export function openScriptTools({
  folders,
  find,
  approval,
  approve,
  env,
  sandbox,
  network,
  watch,
  bootId,
}: ScriptToolsOptions): ScriptTools {
  const read = openToolReader(find);
  const made = new Map<string, { key: string; tool: Tool }>();
  const lists = new Map<string, readonly Tool[]>();

  const list = (workspace: string) => {
    const { tools, problems } = read(folders(workspace));
    return { tools: tools.map((tool): KnownTool => ({ tool, status: approval(workspace, tool.hash) })), problems };
  };
  const madeOnce = (known: KnownTool, workspace: string): Tool => {
    const place = `${workspace} ${known.tool.name}`;
    const key = `${known.tool.hash} ${known.status} ${known.tool.script}`;
    const before = made.get(place);
    if (before?.key === key) return before.tool;
    const tool = toScriptTool(known, run);
    made.set(place, { key, tool });
    return tool;
  };

  /** The script may have changed since it was judged, so it is read again. */
  const run = async (known: KnownTool, input: unknown, { cwd, callId, sessionId, signal }: ToolContext): Promise<ToolExecutionResult> => {
    const { name, hash, label } = known.tool;
    const now = list(cwd).tools.find(({ tool }) => tool.name === name);
    if (now?.tool.hash !== hash || now.status !== "approved")
      return failed(`${label} has changed since the user approved it, so it was not run. Baton asks the user about the new version.`, {
        end: "changed",
      });
    const { launch, from, schema } = now.tool;
    const { hosts } = schema.access;
    const box = await sandbox();
    const entry = box && hosts.length > 0 ? await network(sessionId, hosts) : undefined;
    if (typeof entry === "string")
      return failed(`The tool ${name} was not run, because the sandbox has no network for ${hosts.join(", ")}: ${entry}.`, {
        end: "no network",
      });
    const writable = box ? openWritablePaths(cwd, writesOf(now.tool, input)) : undefined;
    const inside = (box: Sandbox, { edits, changes }: WritablePaths): ProgramCommand => {
      const boxed = box.wrap(launch, {
        cwd,
        visible: [from.folder, ...(entry?.visible ?? [])],
        edits,
        changes,
        keepsNetwork: entry !== undefined,
      });
      return entry?.wrap(boxed) ?? boxed;
    };
    try {
      const exit = await runWithInput(
        {
          ...(box && writable ? inside(box, writable) : launch),
          cwd,
          env: { ...env(), ...entry?.env, BATON_PROJECT_DIR: cwd },
          timeoutMs: schema.timeout * 1_000,
          tag: `${bootId}.tool/${sessionId}/${callId}`,
          watch,
          endsAll: true,
        },
        JSON.stringify(input),
        signal,
      );
      return scriptResult(name, exit);
    } finally {
      writable?.close();
      entry?.leave();
    }
  };

  return {
    of: (workspace) => {
      const tools = list(workspace).tools.map((known) => madeOnce(known, workspace));
      const before = lists.get(workspace);
      if (before?.length === tools.length && tools.every((tool, i) => tool === before[i])) return before;
      lists.set(workspace, tools);
      return tools;
    },
    list,
    questions: (workspace) => {
      const undecided = list(workspace).tools.filter(({ status }) => status === "undecided");
      const byFolder = Map.groupBy(undecided, ({ tool }) => tool.from.folder);
      return [...byFolder.values()].flatMap((tools) => (tools[0] ? [toolQuestion(tools[0].tool.from, tools)] : []));
    },
    isOpen: (workspace, hashes) => list(workspace).tools.some(({ tool, status }) => status === "undecided" && hashes.includes(tool.hash)),
    settle: async (workspace, hashes, approved, by) => {
      const users = new Set(list(workspace).tools.flatMap(({ tool }) => (tool.from.layer === "user" ? tool.hash : [])));
      const everywhere = hashes.filter((hash) => users.has(hash));
      const here = hashes.filter((hash) => !users.has(hash));
      if (everywhere.length > 0) await approve(EVERYWHERE, everywhere, approved, by);
      if (here.length > 0) await approve(workspace, here, approved, by);
    },
  };
}
