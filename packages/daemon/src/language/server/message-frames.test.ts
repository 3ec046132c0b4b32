import { expect, test } from "vitest";
import { splitFrames } from "./message-frames.ts";

const frame = (message: unknown, more = ""): string => {
  const text = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(text)}\r\n${more}\r\n${text}`;
};

function split(text: string, pieceSize = text.length): { messages: object[]; noise: string } {
  const messages: object[] = [];
  let noise = "";
  const take = splitFrames({ onMessage: (message) => messages.push(message), onNoise: (part) => (noise += part) });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceSize) take(bytes.subarray(at, at + pieceSize));
  return { messages, noise };
}

test("messages are the same, wherever the stream is cut", () => {
  const text = frame({ id: 1, text: "ä€" }) + frame({ id: 2 }, "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n");
  for (const size of [1, 2, 7, 100_000]) expect(split(text, size)).toEqual({ messages: [{ id: 1, text: "ä€" }, { id: 2 }], noise: "" });
});

test("text between messages is ignored", () => {
  const text = `starting\n${frame({ id: 1 })}warning: old version\n${frame({ id: 2 })}`;
  for (const size of [1, 5, 100_000])
    expect(split(text, size)).toEqual({ messages: [{ id: 1 }, { id: 2 }], noise: "starting\nwarning: old version\n" });
});

test("a message that is not JSON does not affect the next one", () => {
  const { messages, noise } = split(`Content-Length: 5\r\n\r\n{"a":${frame({ id: 2 })}Content-Length: 2\r\n\r\n[]${frame({ id: 3 })}`);
  expect(messages).toEqual([{ id: 2 }, { id: 3 }]);
  expect(noise).toBe('{"a":[]');
});

test("a message that is too large is skipped", () => {
  const size = 33 * 1024 * 1024;
  const messages: object[] = [];
  const take = splitFrames({ onMessage: (message) => messages.push(message), onNoise: () => undefined });
  take(Buffer.from(`Content-Length: ${size}\r\n\r\n`));
  const piece = Buffer.alloc(1024 * 1024, " ");
  for (let i = 0; i < 33; i++) take(piece);
  take(Buffer.from(frame({ id: 4 })));
  expect(messages).toEqual([{ id: 4 }]);
});

test("a flood without messages is not kept in memory", () => {
  let noise = 0;
  const take = splitFrames({ onMessage: () => undefined, onNoise: (text) => (noise += text.length) });
  for (let i = 0; i < 100; i++) take(Buffer.alloc(100_000, "x"));
  expect(noise).toBeGreaterThan(9_900_000);
});
