import { EnvironmentTool } from "@baton/core/protocol/config/dev-environment-tool";
import { oneLine } from "@baton/core/text/sanitize";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";
import { printJson, printLines } from "../output.ts";

type Report = Awaited<ReturnType<Api["workspace"]["environment"]["query"]>>;
type Output = { json?: boolean };

/** Prints the tools that keep an environment for this folder, and whether commands get it. */
export async function showEnvironment({ json = false }: Output): Promise<void> {
  await withConnection(async ({ api }) => print(await api.workspace.environment.query({ cwd: resolveWorkspace() }), json));
}

/** Lets commands use the named tools, or all that were found. This approves their files as they are now. */
export async function enableEnvironment(names: readonly string[], { json = false }: Output): Promise<void> {
  const wanted = names.map(toTool);
  await withConnection(async ({ api }) => {
    const cwd = resolveWorkspace();
    const found = (await api.workspace.environment.query({ cwd })).tools.filter(({ status }) => status !== "not installed");
    const tools = wanted.length > 0 ? wanted : found.map(({ tool }) => tool);
    if (tools.length === 0)
      return printLines([
        "This folder has no environment that works on this machine. `baton help environments` lists what Baton looks for.",
      ]);
    const hashes = found.flatMap(({ tool, hash }) => (hash !== null && tools.includes(tool) ? hash : []));
    print(await api.workspace.setEnvironment.mutate({ commandId: crypto.randomUUID(), cwd, tools, hashes }), json);
  });
}

/** Runs commands without an environment. `ask`: forgets the choice instead, so Baton offers it again. */
export async function disableEnvironment({ json = false, ask = false }: Output & { ask?: boolean }): Promise<void> {
  await withConnection(async ({ api }) =>
    print(
      await api.workspace.setEnvironment.mutate({
        commandId: crypto.randomUUID(),
        cwd: resolveWorkspace(),
        tools: ask ? null : "none",
        hashes: [],
      }),
      json,
    ),
  );
}

function toTool(name: string): EnvironmentTool {
  const tool = EnvironmentTool.safeParse(name);
  if (!tool.success)
    throw usageError(`Baton does not know the environment ${name}. Name ${EnvironmentTool.options.join(", ")}, or none of them for all.`);
  return tool.data;
}

function print({ tools, variables, problems }: Report, json: boolean): void {
  if (json) return printJson({ tools, variables, problems });
  if (tools.length === 0) return printLines(["This folder has no environment that Baton knows. Commands run as before."]);
  printLines([
    ...tools.map(({ tool, source, status }) => `${tool.padEnd(7)} ${oneLine(source)}: ${status}${HINTS[status] ?? ""}`),
    ...tools.flatMap(({ tool, files, status }) =>
      status === "used" && files.length > 0 ? [`approved for ${tool}: ${files.map(oneLine).join(", ")}`] : [],
    ),
    ...(variables.length > 0 ? [`variables: ${variables.join(", ")}`] : []),
    ...problems.map(oneLine),
  ]);
}

const HINTS: Partial<Record<Report["tools"][number]["status"], string>> = {
  "not chosen": ". `baton environment use` lets commands of agents use it",
  "waits for approval": ". Its files have changed or nobody approved them. Read them, then run `baton environment use`",
};
