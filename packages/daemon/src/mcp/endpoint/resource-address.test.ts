import { expect, test } from "vitest";
import { addressesOf, contentWithClientAddresses } from "./resource-address.ts";

const servers = ["a", "b", "a.b", "a-b", "A", "baton", "one_two", ...Array.from({ length: 10 }, (_, i) => `s${i}`)];
const uris = ["file:///a/b", "test://x?y=1#z", "a:b", "baton:a:file:///x", "urn:a:b", "test://t/{id}{?page}", " ", "ü"];

test("every address of every server has a unique address of its own, which leads back to it", () => {
  const { toClient, fromClient } = addressesOf(servers, undefined);
  const places = servers.flatMap((server) => uris.map((uri) => ({ server, uri })));
  expect(new Set(places.map(toClient)).size).toBe(places.length);
  for (const place of places) expect(fromClient(toClient(place))).toEqual(place);
  for (const uri of [...uris, "baton:", "baton:c:x", "baton:a"].filter((each) => !each.startsWith("baton:a:")))
    expect(fromClient(uri)).toBeUndefined();
});

test("a proxy does not change addresses, even those that look like Baton's", () => {
  const { toClient, fromClient } = addressesOf(["a"], "a");
  for (const uri of uris) {
    expect(toClient({ server: "a", uri })).toBe(uri);
    expect(fromClient(uri)).toEqual({ server: "a", uri });
  }
});

test("addresses in an answer become those that the client can read, and the rest stays", () => {
  const addresses = addressesOf(servers, undefined);
  const rest = [
    { type: "text", text: "test://x" },
    { type: "image", data: "", mimeType: "image/png" },
    { type: "audio", data: "", mimeType: "audio/wav" },
  ] as const;
  const content = [
    ...rest,
    { type: "resource_link", uri: "test://x", name: "x" } as const,
    { type: "resource", resource: { uri: "test://x", text: "test://x" } } as const,
  ];
  expect(contentWithClientAddresses(content, "b", addresses)).toEqual([
    ...rest,
    { type: "resource_link", uri: "baton:b:test://x", name: "x" },
    { type: "resource", resource: { uri: "baton:b:test://x", text: "test://x" } },
  ]);
});
