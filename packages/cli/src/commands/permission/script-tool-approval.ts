import { approvalStatusText } from "@baton/core/text/approval-status-text";
import { oneLine } from "@baton/core/text/sanitize";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";
import { printJson, printLines, terminalStyle } from "../output.ts";

type ScriptToolRow = Awaited<ReturnType<Api["tool"]["list"]["query"]>>["tools"][number];

/** The lines about the tools of a folder that are files, and the problems of their files. Empty if there are none. */
export async function scriptToolLines(api: Api, cwd: string): Promise<string[]> {
  const { tools, problems } = await api.tool.list.query({ cwd });
  if (tools.length + problems.length === 0) return [];
  const { ansi } = terminalStyle();
  return [
    "",
    "script tools",
    ...tools.flatMap(toolLines),
    ...problems.map(({ file, message }) => ansi.failure(`  ${oneLine(file)}: ${oneLine(message)}`)),
  ];
}

/** Lets the agent use tools or never use them. Shows each, because its script runs with the permissions of the user. */
export async function setToolApproval(starts: readonly string[], approved: boolean, { json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const cwd = resolveWorkspace();
    const { tools } = await api.tool.list.query({ cwd });
    const isNamed = ({ name, hash }: ScriptToolRow, start: string) => name === start || hash.startsWith(start);
    const unknown = starts.find((start) => !tools.some((tool) => isNamed(tool, start)));
    if (unknown !== undefined)
      throw usageError(`No tool of this folder has the name ${unknown} or a hash that begins with it. \`baton tools\` lists them.`);
    const chosen = tools.filter((tool) =>
      starts.length === 0 ? tool.status === "undecided" : starts.some((start) => isNamed(tool, start)),
    );
    if (chosen.length === 0) return printLines(["No tool waits for you here."]);
    const hashes = chosen.map(({ hash }) => hash);
    const settled = await api.tool.settle.mutate({ commandId: crypto.randomUUID(), cwd, hashes, approved });
    if (json) printJson(settled);
    else printLines(settled.flatMap(toolLines));
  });
}

function toolLines({ name, description, run, access, timeout, layer, source, hash, status }: ScriptToolRow): string[] {
  const { ansi } = terminalStyle();
  const state = `    ${approvalStatusText[status]}${status === "undecided" ? ": answer the request, or use `baton tools approve`" : ""}`;
  return [
    `  ${name}  ${ansi.dim(oneLine(description))}`,
    `    ${oneLine(run)}`,
    ansi.dim(`    ${layer}, ${source}; ${oneLine(access)}; ${timeout} s; hash ${hash.slice(0, 8)}`),
    status === "approved" ? ansi.dim(state) : state,
  ];
}
