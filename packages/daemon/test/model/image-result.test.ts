import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import type { WireReply } from "../support/wire/format.ts";
import { chat } from "../support/wire/chat.ts";
import { formats, keys } from "../support/wire/index.ts";
import { WireServer, type WireFault, type WireFaultOf, type WireSeen } from "../support/wire/server.ts";

/** Real images. */
const pictures = { "shot.png": "narrow-360.png", "other.png": "vscode-dark.png" };
const fileOf = (name: string) => fileURLToPath(new URL(`../../../../docs/images/${name}`, import.meta.url));
const [shot, other] = Object.values(pictures).map((name) => readFileSync(fileOf(name)).toString("base64"));
const hash = createHash("sha256")
  .update(readFileSync(fileOf("narrow-360.png")))
  .digest("hex");
const size = `${Math.ceil(readFileSync(fileOf("narrow-360.png")).length / 1024)} KB`;

const servers = await Promise.all(formats.map((format) => WireServer.start(format, { replies: [] })));
const blind = await WireServer.start(chat, { replies: [] });
const mcpServer = fileURLToPath(new URL("../support/mcp/mcp-server.ts", import.meta.url));
const daemon = await TestDaemon.start({
  config: {
    providers: {
      ...Object.fromEntries(servers.map(({ format, provider }) => [format.kind, provider])),
      blind: { ...blind.provider, models: { m: { modalities: { input: ["text"], output: ["text"] } } } },
    },
    mcpServers: { good: { command: process.execPath, args: [mcpServer, "good", fileOf("narrow-360.png")] } },
    permissions: [{ action: "mcp", resource: "good__*", effect: "allow" }],
  },
  env: keys,
});
for (const [name, from] of Object.entries(pictures)) copyFileSync(fileOf(from), path.join(daemon.workspace, name));
await daemon.connect().api.mcp.test.mutate({ cwd: daemon.workspace, name: "good" });
afterAll(() => Promise.all([daemon, blind, ...servers].map((each) => each[Symbol.asyncDispose]())));

const read = (file: string): WireReply => ({ calls: [{ tool: "read_file", input: { path: file } }] });

async function talk(server: WireServer, model: string, replies: WireReply[], fault?: WireFaultOf) {
  server.begin({ replies, ...(fault ? { fault } : {}) });
  const session = await daemon.session({ model });
  await session.runTurn("What do you see?");
  expect(server.violations).toEqual([]);
  return session;
}

const bodies = ({ seen }: WireServer) => seen.map(({ body }) => JSON.stringify(body));

describe.each(formats)("$kind", (format) => {
  const server = servers.find((each) => each.format === format) as WireServer;
  const model = `${format.kind}/${format.model}`;

  test("the images in a file and in the result of a server's tool are part of the next request, and the log stays small", async () => {
    using session = await talk(server, model, [read("shot.png"), { calls: [{ tool: "good__picture", input: {} }] }, { text: "A window." }]);
    const [, second = "", third = ""] = bodies(server);
    expect(second.split(shot ?? "none")).toHaveLength(2);
    expect(third.split(shot ?? "none")).toHaveLength(3);
    const [file, ofServer] = session.finished;
    expect(file?.result).toMatchObject({ end: `PNG image, ${size}`, images: [{ blob: hash, mediaType: "image/png", name: "shot.png" }] });
    expect(ofServer?.result).toMatchObject({ end: "1 image", images: [{ blob: hash, mediaType: "image/png" }] });
    expect(ofServer?.result.text).toContain(
      `This is what I see.\n[PNG image, ${size}]\n[audio audio/wav, 1 KB, not shown]\n[image image/bmp`,
    );
    expect(JSON.stringify(session.events).length).toBeLessThan(20_000);
  });

  test("a request that is too large is repeated without the older images, and only if there are any", async () => {
    const tooLarge = (nth: number): WireFault | undefined => (nth === 3 ? { status: 413, message: "Request too large." } : undefined);
    using session = await talk(server, model, [read("shot.png"), read("other.png"), { text: "Windows." }], tooLarge);
    expect(session.events.filter(({ type }) => type.startsWith("context."))).toMatchObject([{ type: "context.pruned", only: "images" }]);
    const last = bodies(server).at(-1) ?? "";
    expect([last.includes(shot ?? ""), last.includes(other ?? "")]).toEqual([false, true]);
    expect(last).toContain("no longer sent");
    expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
  });

  test("an image that the provider refuses is left out, and the turn continues", async () => {
    const refused = ({ body }: WireSeen): WireFault | undefined =>
      JSON.stringify(body).includes(shot ?? "") ? { status: 400, message: "messages.2: image exceeds 5 MB maximum" } : undefined;
    using session = await talk(server, model, [read("shot.png"), { text: "It cannot be seen." }], (_, seen) => refused(seen));
    expect(session.events.filter(({ type }) => type === "model.failed")).toMatchObject([{ code: "bad_picture" }]);
    expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
  });
});

test("images of earlier steps are left out before the request becomes too large", async () => {
  const server = servers.find(({ format }) => format === chat) as WireServer;
  for (const file of ["large-1.png", "large-2.png"])
    writeFileSync(
      path.join(daemon.workspace, file),
      Buffer.concat([readFileSync(fileOf("narrow-360.png")), Buffer.alloc(6_500_000, file)]),
    );
  const both = { calls: ["large-1.png", "large-2.png"].map((file) => ({ tool: "read_file", input: { path: file } })) };
  using session = await talk(server, "openai-compatible/m", [both, read("shot.png"), { text: "Windows." }]);
  expect(session.events.filter(({ type }) => type.startsWith("context."))).toMatchObject([
    { type: "context.pruned", step: 1, only: "images" },
  ]);
  expect(session.events.filter(({ type }) => type === "model.failed")).toEqual([]);
  expect(bodies(server).map((body) => body.split(";base64,").length - 1)).toEqual([0, 2, 1]);
});

test("a model without vision gets a note about each image", async () => {
  using session = await talk(blind, "blind/m", [read("shot.png"), { text: "I cannot see it." }]);
  const [, second = ""] = bodies(blind);
  expect(second).not.toContain((shot ?? "").slice(0, 200));
  expect(second).toContain(`shot.png (PNG image, ${size}) was attached here, but you cannot read it`);
  expect(session.finished[0]?.result.images).toHaveLength(1);
});
