import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";

const PREFIX = "baton:";

/** A resource: its server, and the address that the server uses. */
export type ResourceAddress = { server: string; uri: string };

/**
 * Converts addresses of servers for clients: `baton:<server>:<address>`. A server name contains no colon, so the form is unique and also
 * works for templates. A proxy does not change addresses.
 */
export type ResourceAddresses = { toClient: (place: ResourceAddress) => string; fromClient: (uri: string) => ResourceAddress | undefined };

export const addressesOf = (servers: readonly string[], proxied: string | undefined): ResourceAddresses => ({
  toClient: ({ server, uri }) => (server === proxied ? uri : `${PREFIX}${server}:${uri}`),
  fromClient: (uri) => {
    if (proxied !== undefined) return { server: proxied, uri };
    const server = servers.find((name) => uri.startsWith(`${PREFIX}${name}:`));
    return server === undefined ? undefined : { server, uri: uri.slice(PREFIX.length + server.length + 1) };
  },
});

/** A part of an answer with the address for clients. */
export function withClientUris<T extends ContentBlock>(part: T, server: string, { toClient }: ResourceAddresses): T {
  switch (part.type) {
    case "resource_link":
      return { ...part, uri: toClient({ server, uri: part.uri }) };
    case "resource":
      return { ...part, resource: { ...part.resource, uri: toClient({ server, uri: part.resource.uri }) } };
    case "text":
    case "image":
    case "audio":
      return part;
  }
}

export const contentWithClientAddresses = (
  content: CallToolResult["content"],
  server: string,
  addresses: ResourceAddresses,
): CallToolResult["content"] => content.map((part) => withClientUris(part, server, addresses));
