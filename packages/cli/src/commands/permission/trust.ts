import { existsSync } from "node:fs";
import path from "node:path";
import { printJson, printLines } from "../output.ts";
import { withConnection } from "../../connection/daemon-connection.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";

export type TrustOptions = { restrict?: boolean; status?: boolean; json?: boolean };

/** Trusts or restricts a folder, or prints its state. */
export async function trust(folder: string, { restrict = false, status = false, json = false }: TrustOptions): Promise<void> {
  const cwd = resolveWorkspace(folder);
  await withConnection(async ({ api }) => {
    if (!status) await api.workspace.trust.mutate({ cwd, trusted: !restrict });
    const now = await api.workspace.status.query({ cwd });
    if (json) return printJson(now);
    const counts = now.files.length === 0 ? "It has no files that configure an agent." : `It has: ${now.files.join(", ")}.`;
    printLines([`${now.workspace} ${TRUST_TEXTS[now.trust]}`, counts, ...ignoreFileLines(now.workspace)]);
  });
}

/** The files in which users of other agents list what the agent must not read. */
const IGNORE_FILES = [".rooignore", ".kilocodeignore", ".clineignore"];

function ignoreFileLines(folder: string): string[] {
  const found = IGNORE_FILES.filter((name) => existsSync(path.join(folder, name)));
  return found.length === 0
    ? []
    : [
        `Baton does not use ${found.join(" and ")}, so agents can read the files that are listed there. Deny \`read\` for these files, see \`baton help faq\`.`,
      ];
}

const TRUST_TEXTS = {
  trusted: "is trusted: Baton uses its modes, rules and instructions, and commands that only read or stay in the sandbox do not ask.",
  restricted: "is not trusted: agents can read its files, but Baton ignores its settings.",
  unknown: "is undecided, which counts as not trusted. `baton trust` trusts it.",
};
