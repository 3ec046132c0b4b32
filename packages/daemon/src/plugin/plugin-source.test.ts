import { expect, test } from "vitest";
import { parsePluginSource, sourceText } from "./plugin-source.ts";

const sources: Record<string, object> = {
  "/work/kit": { kind: "folder", folder: "/work/kit" },
  "/work/../etc/kit": { kind: "folder", folder: "/etc/kit" },
  "https://example.com/kit.git": { kind: "git", address: "https://example.com/kit.git" },
  "https://example.com/kit.git#v1.2": { kind: "git", address: "https://example.com/kit.git", ref: "v1.2" },
  "git+ssh://git@example.com/kit.git": { kind: "git", address: "ssh://git@example.com/kit.git" },
  "git@example.com:team/kit.git#main": { kind: "git", address: "git@example.com:team/kit.git", ref: "main" },
  "github:team/kit": { kind: "git", address: "https://github.com/team/kit.git" },
  kit: { kind: "npm", name: "kit" },
  "kit@github:team/market#v1": {
    kind: "marketplace",
    name: "kit",
    market: { kind: "git", address: "https://github.com/team/market.git", ref: "v1" },
  },
  "kit@/work/my market": { kind: "marketplace", name: "kit", market: { kind: "folder", folder: "/work/my market" } },
  "kit@git@example.com:team/market.git": {
    kind: "marketplace",
    name: "kit",
    market: { kind: "git", address: "git@example.com:team/market.git" },
  },
  "kit@https://example.com/market": { kind: "marketplace", name: "kit", market: { kind: "git", address: "https://example.com/market" } },
  "npm:@team/kit@1.2.3": { kind: "npm", name: "@team/kit", version: "1.2.3" },
};

test.each(Object.entries(sources))("%s is a source, and its text leads to the same one", (text, source) => {
  const parsed = parsePluginSource(text);
  expect(parsed).toEqual(expect.objectContaining(source));
  if ("problem" in parsed) return;
  expect(parsePluginSource(sourceText(parsed))).toEqual(parsed);
});

/** Texts that a program could read as an option, a command or another place. Each is tried in every position of a source. */
const tricks = [
  "--upload-pack=touch x",
  "--upload-pack=x",
  "-oProxyCommand=x",
  "-x",
  "..",
  "a b",
  "a\nb",
  "a\u202eb",
  "$(x)",
  "`x`",
  ";x",
  "ext::sh -c x",
];
const positions: ((trick: string) => string)[] = [
  (trick) => trick,
  (trick) => `npm:${trick}`,
  (trick) => `@${trick}/kit`,
  (trick) => `kit@${trick}`,
  (trick) => `${trick}@github:team/market`,
  (trick) => `kit@github:${trick}/market`,
  (trick) => `kit@github:team/market#${trick}`,
  (trick) => `kit@ssh://${trick}/market.git`,
  (trick) => `kit@git@${trick}:market.git`,
  (trick) => `kit@kit@${trick}`,
  (trick) => `github:${trick}/kit`,
  (trick) => `ssh://${trick}/kit.git`,
  (trick) => `ssh://${trick}@example.com/kit.git`,
  (trick) => `${trick}@example.com:kit.git`,
  (trick) => `git@${trick}:kit.git`,
  (trick) => `https://example.com/kit.git#${trick}`,
  (trick) => `${trick}://example.com/kit.git`,
];

test("no trick in any position becomes a source", () => {
  const accepted = positions.flatMap((place) => tricks.map(place)).filter((text) => !("problem" in parsePluginSource(text)));
  expect(accepted).toEqual([]);
});

test.each([
  "",
  "http://example.com/kit.git",
  "ext::sh -c x",
  "ftp://example.com/kit",
  "https://user:secret@example.com/kit.git",
  "./kit",
  "../kit",
  "A/B",
])("%s is no source, and the answer says what is one", (text) => expect(parsePluginSource(text)).toHaveProperty("problem"));
