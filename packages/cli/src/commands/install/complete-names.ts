import { batonPaths, connectTo, findDaemon } from "@baton/daemon/client";
import { oneLine } from "@baton/core/text/sanitize";
import type { Api } from "../../connection/daemon-connection.ts";
import type { CompletionKind } from "./completion-kinds.ts";

type Name = { name: string; about: string };

/** Prints the names that a shell can complete, each with a description behind a tab. Prints nothing if no daemon is running. */
export async function printNames(kind: CompletionKind): Promise<void> {
  const { discovery } = batonPaths(process.env);
  const found = await findDaemon(discovery);
  if (!found) return;
  const connection = connectTo(found, { client: "cli", discoveryFile: discovery });
  try {
    const names = await namesOf(kind, connection.api, process.cwd());
    process.stdout.write(names.map(({ name, about }) => `${name}\t${oneLine(about).slice(0, 60)}\n`).join(""));
  } finally {
    await connection.close();
  }
}

async function namesOf(kind: CompletionKind, api: Api, cwd: string): Promise<Name[]> {
  switch (kind) {
    case "models":
      return (await api.daemon.models.query()).map(({ id }) => ({ name: id, about: "" }));
    case "modes":
      return (await api.daemon.modes.query({ cwd })).map(({ slug, description }) => ({ name: slug, about: description }));
    case "sessions": {
      const sessions = await api.session.list.query({ limit: MAX_SESSIONS });
      return sessions.filter(({ parentId }) => parentId === null).map(({ id, title }) => ({ name: id, about: title }));
    }
    case "requests":
      return (await api.request.list.query()).map(({ id, header }) => ({ name: id, about: header }));
    case "servers":
      return (await api.mcp.list.query({ cwd })).map(({ name, launch }) => ({ name, about: launch }));
  }
}

const MAX_SESSIONS = 100;
