import { expect, test } from "vitest";
import { draftServer, newServerDraft, serverDraft } from "./server-draft.ts";

test("a program has one argument or variable per line", () => {
  const draft = { ...newServerDraft, command: "npx", args: "-y\nserver with space", env: "TOKEN=abc=d\n\nMODE = fast" };
  expect(draftServer(draft, undefined)).toEqual({
    server: { command: "npx", args: ["-y", "server with space"], env: { TOKEN: "abc=d", MODE: "fast" } },
    keep: { env: [], headers: [] },
  });
});

test("a program stays in its sandbox and in its places when the form changes it", () => {
  const own = { name: "s", command: "npx", sandbox: { hosts: ["one.example"] }, perPlace: true, env: [], headers: [] };
  expect(draftServer({ ...serverDraft(own), args: "x" }, own).server).toEqual({
    command: "npx",
    args: ["x"],
    sandbox: { hosts: ["one.example"] },
    perPlace: true,
  });
});

test("settings that the form does not show stay, and so do values that were not typed again", () => {
  const own = { name: "s", url: "https://a.example/mcp", type: "sse" as const, timeoutMs: 5, env: [], headers: ["Authorization", "X"] };
  const draft = serverDraft(own);
  expect(draft.headers).toBe("Authorization=(unchanged)\nX=(unchanged)");
  expect(draftServer({ ...draft, headers: "Authorization=(unchanged)\nX=new" }, own)).toEqual({
    server: { url: "https://a.example/mcp", type: "sse", headers: { X: "new" }, timeoutMs: 5 },
    keep: { env: [], headers: ["Authorization"] },
  });
});
