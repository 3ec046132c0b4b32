import { oneLine } from "@baton/core/text/sanitize";
import type { ServerConnection } from "../connection/server-connection.ts";

/** A resource that the user can mention in a prompt. `text` is `@server:uri`. */
export type ResourceMention = { text: string; about: string };

const MAX_RESOURCES = 500;

/** The resources of these servers in their own order. A server that cannot be reached has none. */
export async function findMentions(connections: readonly ServerConnection[]): Promise<ResourceMention[]> {
  const found = await Promise.all(connections.map((connection) => mentionsIn(connection).catch(() => [])));
  return found.flat().slice(0, MAX_RESOURCES);
}

async function mentionsIn(connection: ServerConnection): Promise<ResourceMention[]> {
  if (!connection.has("resources")) return [];
  const { name: server, timeoutMs: timeout } = connection.definition;
  const { resources } = await (await connection.client()).listResources({}, { timeout });
  return resources.flatMap(({ uri, name, title, description = "" }) =>
    /\s/.test(uri) ? [] : [{ text: `@${server}:${oneLine(uri)}`, about: oneLine(`${title ?? name} ${description}`).slice(0, 120) }],
  );
}
