import { printJson, printLines } from "../output.ts";
import { withConnection } from "../../connection/daemon-connection.ts";
import { resolveWorkspace } from "../../connection/workspace.ts";

export type TrustOptions = { restrict?: boolean; status?: boolean; json?: boolean };

/** Says whether a folder is trusted, or how that stands. */
export async function trust(given: string, { restrict = false, status = false, json = false }: TrustOptions): Promise<void> {
  const cwd = resolveWorkspace(given);
  await withConnection(async ({ api }) => {
    if (!status) await api.workspace.trust.mutate({ cwd, trusted: !restrict });
    const now = await api.workspace.status.query({ cwd });
    if (json) return printJson(now);
    const counts = now.files.length === 0 ? "It has no files that steer an agent." : `It has: ${now.files.join(", ")}.`;
    printLines([`${now.workspace} ${says[now.trust]}`, counts]);
  });
}

const says = {
  trusted: "is trusted: its modes, rules and instructions count, and commands that only read do not ask.",
  restricted: "is not trusted: its files can be read, nothing in them acts.",
  unknown: "has not been decided on, which counts as not trusted. `baton trust` trusts it.",
};
