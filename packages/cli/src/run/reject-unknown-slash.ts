import { parseSlash, unknownSlash } from "@baton/core/text/slash-command";
import type { Api } from "../connection/daemon-connection.ts";
import { usageError } from "../connection/exit-codes.ts";

/** Throws if a prompt begins with an unknown slash command. */
export async function rejectUnknownSlash(api: Api, workspace: string, prompt: string): Promise<void> {
  if (!parseSlash(prompt)) return;
  const known = await api.workspace.commands.query({ cwd: workspace });
  const problem = unknownSlash(
    prompt,
    known.map(({ name }) => name),
  );
  if (problem !== undefined) throw usageError(problem);
}
