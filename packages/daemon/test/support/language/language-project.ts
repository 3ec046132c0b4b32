import { symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { CallDiagnostics } from "@baton/core/protocol/tool-call";
import { TestDaemon, type DaemonOptions } from "../daemon.ts";
import type { TestSession } from "../session.ts";

/** The language servers that tests start, as npm installs them. */
export const installed = fileURLToPath(new URL("../../../../../tools/language-servers/node_modules", import.meta.url));

type Options = { config?: Record<string, unknown>; env?: DaemonOptions["env"]; files: Record<string, string> };

/** A daemon with a trusted workspace in which npm has installed language servers, and where edits are allowed. */
export async function languageProject({ config = {}, env = {}, files }: Options): Promise<TestDaemon> {
  const daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" }, ...config }, env });
  for (const [file, text] of Object.entries(files)) daemon.write(file, text);
  symlinkSync(installed, path.join(daemon.workspace, "node_modules"));
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  return daemon;
}

/** Waits long enough for a server to start on a busy machine. */
export const patient = { checks: { waitMs: 60_000 } };

export const edit = (file: string, old_text: string, new_text: string) => ({
  tool: "edit_file",
  input: { path: file, old_text, new_text },
});

/** The diagnostics of each call so far. */
export const diagnosticsOf = ({ events }: TestSession): CallDiagnostics[] =>
  events.flatMap((event) => (event.type === "diagnostics.reported" ? event.calls : []));
