import { parseSlash, unknownSlash } from "@baton/core/text/slash-command";
import type { Api } from "../connection/daemon-connection.ts";
import { usage } from "../connection/exit-codes.ts";

/** Throws for a prompt that begins with the name of no slash command of this folder: as text it would tell a model nothing. */
export async function rejectUnknownSlash(api: Api, workspace: string, prompt: string): Promise<void> {
  if (!parseSlash(prompt)) return;
  const known = await api.workspace.commands.query({ cwd: workspace });
  const problem = unknownSlash(
    prompt,
    known.map(({ name }) => name),
  );
  if (problem !== undefined) throw usage(problem);
}
