import { expect, test } from "vitest";
import { draftServer, newServerDraft, serverDraft } from "./server-draft.ts";

test("a program has one argument or variable per line", () => {
  const draft = { ...newServerDraft, command: "npx", args: "-y\nserver with space", env: "TOKEN=abc=d\n\nMODE = fast" };
  expect(draftServer(draft, undefined)).toEqual({
    server: { command: "npx", args: ["-y", "server with space"], env: { TOKEN: "abc=d", MODE: "fast" } },
    keep: { env: [], headers: [] },
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
