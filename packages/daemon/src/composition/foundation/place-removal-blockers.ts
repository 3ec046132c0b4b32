import { readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";
import { sessionOfRequest } from "@baton/core/protocol/ids";
import type { Sessions } from "../../session/sessions.ts";
import { containsFolder } from "../../place/find-place.ts";
import type { EditorBuffers } from "../../system/files/editor-buffers.ts";

/**
 * Describes everything that uses a folder now, so that a place is not removed below it: sessions at work, open requests, commands in the
 * background, unsaved editor buffers and, on Linux, programs whose working directory it is.
 */
export async function placeRemovalBlockers(
  root: string,
  sessions: Sessions | undefined,
  buffers: Pick<EditorBuffers, "below">,
): Promise<string[]> {
  const unsaved = buffers.below(root).map(({ client, path: file }) => `${client} has unsaved changes in ${path.relative(root, file)}`);
  return [...(await sessionUsers(root, sessions)), ...unsaved, ...(await programsIn(root))];
}

async function sessionUsers(root: string, sessions: Sessions | undefined): Promise<string[]> {
  if (!sessions) return [];
  const users: string[] = [];
  for (const [id, { workspace, turn, processes, title }] of sessions.states()) {
    if (!containsFolder(root, workspace)) continue;
    const name = title || id;
    if (turn) users.push(`the session ${name} is working`);
    for (const { command } of processes) users.push(`the session ${name} runs \`${command.slice(0, 80)}\``);
  }
  const asking = new Set((await sessions.lists.requests()).flatMap(({ request }) => sessionOfRequest(request.id) ?? []));
  for (const row of await sessions.lists.rows([...asking]))
    if (containsFolder(root, row.workspace) && !sessions.states().get(row.id)?.turn)
      users.push(`the session ${row.title || row.id} has an open request`);
  return users;
}

/** Other programs, such as a terminal or a development server. The daemon's own processes are sessions' commands, and are named there. */
async function programsIn(root: string): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
      if (cwd === undefined || !containsFolder(root, cwd)) return [];
      const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "a program");
      return [`${name.trim()} (process ${pid}) works in it`];
    }),
  );
  return found.flat();
}
