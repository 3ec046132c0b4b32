import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";

const PREFIX = "baton:";

/** A resource: its server, and the address that the server uses. */
export type ResourceAddress = { server: string; uri: string };

/**
 * Converts addresses of servers for clients: `baton:<server>:<address>`. A server name contains no colon, so the form is unique and also
 * works for templates. A proxy does not change addresses.
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

/** A part of an answer with the address for clients. */
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
