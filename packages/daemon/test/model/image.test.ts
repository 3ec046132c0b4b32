import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer } from "../support/model-server.ts";

test("an image is uploaded in pieces, sent to the model with its prompt, and can be read back", async () => {
  await using model = await ModelServer.start({ replies: [{ text: "A cat." }] });
  await using daemon = await TestDaemon.start({
    config: model.config,
  });
  const { api } = daemon.connect();
  const picture = randomBytes(900_000);
  const upload = crypto.randomUUID();
  const half = 450_000;
  await api.blob.add.mutate({ upload, base64: picture.subarray(0, half).toString("base64"), last: false });
  const { hash = "" } = await api.blob.add.mutate({ upload, base64: picture.subarray(half).toString("base64"), last: true });
  expect(hash).toBe(createHash("sha256").update(picture).digest("hex"));

  const session = await daemon.session();
  await session.wish({
    type: "prompt",
    promptId: crypto.randomUUID(),
    text: "What is it?",
    delivery: "queue",
    images: [{ blob: hash, mediaType: "image/png" }],
  });
  await session.untilEnd();
  const [, user] = model.requests[0]?.messages ?? [];
  expect(user).toMatchObject({
    role: "user",
    content: [
      { type: "text", text: "What is it?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${picture.toString("base64")}` } },
    ],
  });

  const first = await api.blob.read.query({ hash });
  const second = await api.blob.read.query({ hash, start: 512 * 1024 });
  expect([first.more, second.more]).toEqual([true, false]);
  expect(Buffer.concat([first, second].map(({ base64 }) => Buffer.from(base64, "base64"))).equals(picture)).toBe(true);
  expect(await api.blob.read.query({ hash: "0".repeat(64) }).catch(refusalOf)).toMatchObject({ code: "blob_not_found" });
});

test("if the provider refuses an image of a prompt, the turn ends with the provider's message and the next step", async () => {
  const body = JSON.stringify({ error: { message: "Could not process image" } });
  await using model = await ModelServer.start({ replies: [], fault: () => ({ status: 400, body }) });
  await using daemon = await TestDaemon.start({
    config: model.config,
  });
  const { hash = "" } = await daemon
    .connect()
    .api.blob.add.mutate({ upload: crypto.randomUUID(), base64: Buffer.from("no picture").toString("base64"), last: true });
  const session = await daemon.session();
  const images = [{ blob: hash, mediaType: "image/png" as const }];
  await session.wish({ type: "prompt", promptId: crypto.randomUUID(), text: "What is it?", delivery: "queue", images });
  await session.untilEnd();
  expect(session.events.find(({ type }) => type === "compaction.failed")).toMatchObject({
    message: expect.stringContaining("Rewind") as unknown,
  });
  expect(session.events.at(-1)).toMatchObject({ reason: "failed", message: expect.stringContaining("Could not process image") as unknown });
  expect(model.requests.filter(({ tools }) => tools.length > 0)).toHaveLength(1);
});

test("an image of more than 10 MB is refused", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const upload = crypto.randomUUID();
  const piece = Buffer.alloc(500_000).toString("base64");
  let refused: unknown;
  for (let i = 0; i < 25 && refused === undefined; i++)
    await api.blob.add.mutate({ upload, base64: piece, last: false }).catch((error: unknown) => (refused = refusalOf(error)));
  expect(refused).toMatchObject({ code: "blob_too_large" });
});
