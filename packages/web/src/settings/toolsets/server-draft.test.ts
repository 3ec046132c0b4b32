import { expect, test } from "vitest";
import { draftServer, newServerDraft, serverDraft } from "./server-draft.ts";

test("a program has its arguments and variables by line", () => {
  const draft = { ...newServerDraft, command: "npx", args: "-y\nserver with space", env: "TOKEN=abc=d\n\nMODE = fast" };
  expect(draftServer(draft, undefined)).toEqual({
    server: { command: "npx", args: ["-y", "server with space"], env: { TOKEN: "abc=d", MODE: "fast" } },
    keep: { env: [], headers: [] },
  });
});

test("what the form does not show stays, and values that were not typed again are kept", () => {
  const own = { name: "s", url: "https://a.example/mcp", type: "sse" as const, timeoutMs: 5, env: [], headers: ["Authorization", "X"] };
  const draft = serverDraft(own);
  expect(draft.headers).toBe("Authorization=(unchanged)\nX=(unchanged)");
  expect(draftServer({ ...draft, headers: "Authorization=(unchanged)\nX=new" }, own)).toEqual({
    server: { url: "https://a.example/mcp", type: "sse", headers: { X: "new" }, timeoutMs: 5 },
    keep: { env: [], headers: ["Authorization"] },
  });
});
