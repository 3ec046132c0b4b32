import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";

const PREFIX = "baton:";

/** Where something of a server lies: the server's name, and the address that the server itself uses. */
export type ResourceAddress = { server: string; uri: string };

/**
 * How the addresses of one server are known to clients: `baton:<server>:<address>`, which also holds for templates and differs between
 * servers, as a server's name has no colon. A proxy leaves them as they are.
 */
export type Addresses = { outer: (place: ResourceAddress) => string; inner: (uri: string) => ResourceAddress | undefined };

export const addressesOf = (servers: readonly string[], proxied: string | undefined): Addresses => ({
  outer: ({ server, uri }) => (server === proxied ? uri : `${PREFIX}${server}:${uri}`),
  inner: (uri) => {
    if (proxied !== undefined) return { server: proxied, uri };
    const server = servers.find((name) => uri.startsWith(`${PREFIX}${name}:`));
    return server === undefined ? undefined : { server, uri: uri.slice(PREFIX.length + server.length + 1) };
  },
});

/** A part of an answer, with its address as clients know it. */
export function outerPart<T extends ContentBlock>(part: T, server: string, { outer }: Addresses): T {
  switch (part.type) {
    case "resource_link":
      return { ...part, uri: outer({ server, uri: part.uri }) };
    case "resource":
      return { ...part, resource: { ...part.resource, uri: outer({ server, uri: part.resource.uri }) } };
    case "text":
    case "image":
    case "audio":
      return part;
  }
}

export const outerContent = (content: CallToolResult["content"], server: string, addresses: Addresses): CallToolResult["content"] =>
  content.map((part) => outerPart(part, server, addresses));
