import { createHash } from "node:crypto";

/** A tool of a server under the server's own name. */
export type ToolAddress = { server: string; tool: string };

/** The maximum length that model providers and other programs accept. */
const MAX_NAME_LENGTH = 64;
const SUFFIX = 9;

/**
 * Unique names `server__tool` for a set of tools, with at most 64 letters, digits, `_` and `-`. They are also unique for programs that treat
 * `-` as `_` or ignore case. A tool whose plain name would be ambiguous or inexact gets 8 digits of its digest. The order of the set does not
 * matter.
 */
export function toolNames(places: readonly ToolAddress[]): string[] {
  const plain = places.map(plainName);
  const taken = new Map<string, number>();
  for (const name of plain) if (name !== undefined) taken.set(folded(name), (taken.get(folded(name)) ?? 0) + 1);
  return places.map((place, i) => {
    const name = plain[i];
    return name !== undefined && taken.get(folded(name)) === 1 ? name : digested(place);
  });
}

/** Undefined if the plain name would be inexact or could belong to another tool. */
function plainName({ server, tool }: ToolAddress): string | undefined {
  const name = `${server}__${tool}`;
  const isFaithful = /^[A-Za-z0-9_-]+$/.test(name) && name.length <= MAX_NAME_LENGTH;
  const isClear = !server.includes("__") && !server.endsWith("_") && !tool.startsWith("_") && tool !== "";
  return isFaithful && isClear && !/_[0-9a-f]{8}$/.test(name) ? name : undefined;
}

function digested(place: ToolAddress): string {
  const { server, tool } = place;
  const digest = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, 8);
  return `${`${safe(server)}__${safe(tool)}`.slice(0, MAX_NAME_LENGTH - SUFFIX)}_${digest}`;
}

const safe = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, "_");

const folded = (name: string): string => name.toLowerCase().replaceAll("-", "_");
