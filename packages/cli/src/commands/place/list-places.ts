import { formatAge, formatCount, shortenHome } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { resolveWorkspace } from "../../connection/resolve-workspace.ts";
import type { TerminalStyle } from "../../render/layout.ts";
import { printJson, printLines, terminalStyle } from "../output.ts";
import type { Place } from "./find-or-create-place.ts";

export type PlacesOptions = { here?: boolean; size?: boolean; json?: boolean };

type Facts = Awaited<ReturnType<Api["place"]["facts"]["query"]>>;
type Listed = Place & { facts: Facts | null; sessions: { id: string; title: string; status: string }[] };

/** Lists the places with what is in them and who uses them. `size` measures the disk too. */
export async function printPlaces({ here = false, size = false, json = false }: PlacesOptions): Promise<void> {
  await withConnection(async ({ api }) => {
    const listed = await listPlaces(api, here ? resolveWorkspace() : undefined, size);
    if (json) return printJson(listed);
    const style = terminalStyle();
    if (listed.length === 0) return printLines(["No places. `baton -w` starts a session in a worktree of its own."]);
    const byCheckout = Map.groupBy(listed, ({ checkout }) => checkout);
    printLines(
      [...byCheckout].flatMap(([checkout, rows]) => [
        style.ansi.bold(shortenHome(checkout, style.home)),
        ...rows.flatMap((row) => placeLines(row, style)),
      ]),
    );
  });
}

async function listPlaces(api: Api, cwd: string | undefined, size: boolean): Promise<Listed[]> {
  const [all, ...lists] = await Promise.all([
    api.place.list.query(cwd === undefined ? {} : { cwd }),
    ...[false, true].map((archived) => api.session.list.query({ archived, limit: 10_000 })),
  ]);
  const sessions = lists.flat();
  return Promise.all(
    all.map(async (place) => ({
      ...place,
      facts: place.status === "ready" ? await api.place.facts.query({ place: place.id, size }) : null,
      sessions: sessions
        .filter(({ workspace, parentId }) => parentId === null && (workspace === place.root || workspace.startsWith(`${place.root}/`)))
        .map(({ id, title, status }) => ({ id, title, status })),
    })),
  );
}

/** A place: its name and state, what is in it, and its sessions. */
function placeLines(
  { name, status, branch, base, facts, sessions, message, createdAt, workspace }: Listed,
  style: TerminalStyle,
): string[] {
  const { ansi, now, home } = style;
  const isWrong = status === "interrupted" || status === "failed" || facts?.moved;
  const state = facts?.moved ? "folder is gone" : status === "ready" ? factsText(facts) : status;
  const head = `  ${ansi.bold(name)}  ${isWrong ? ansi.failure(state) : state}`;
  const about = `${branch ?? "no branch"}, from ${base}, ${formatAge(now - createdAt)}`;
  return [
    head,
    ansi.dim(`    ${about}`),
    ...(status === "removed" ? [] : [ansi.dim(`    ${shortenHome(workspace, home)}`)]),
    ...(message === null ? [] : [`    ${oneLine(message)}`]),
    ...sessions.map((session) =>
      ansi.dim(
        `    session ${session.id}  ${oneLine(session.title) || "(no prompt yet)"}${session.status === "idle" ? "" : ` (${session.status})`}`,
      ),
    ),
    ...(facts?.users ?? []).map((user) => `    in use: ${oneLine(user)}`),
  ];
}

function factsText(facts: Facts | null): string {
  if (!facts) return "";
  const { changed, ahead, unpushed, problem, size, baseGone } = facts;
  const parts = [
    changed === null ? "changes unknown" : changed === 0 ? "clean" : formatCount(changed, "changed file"),
    ahead === null || ahead === 0 ? "" : `${formatCount(ahead, "commit")} since the base`,
    unpushed === null || unpushed === 0 ? "" : `${unpushed} not pushed`,
    baseGone ? "its base commit is gone" : "",
    problem === null ? "" : `git: ${oneLine(problem)}`,
    size ? `${size.atLeast ? "more than " : ""}${formatBytes(size.bytes)}` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

const formatBytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
