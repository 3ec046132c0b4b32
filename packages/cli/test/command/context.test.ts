import { expect, test } from "vitest";
import { call, openSettledHome } from "../support/home.ts";
import { KEY } from "../support/terminal.ts";

test("`baton context` shows the context of the newest session in the folder, and /context that of its own session", async () => {
  await using home = await openSettledHome();
  expect(await home.run(["context"])).toMatchObject({ code: 2, err: expect.stringContaining("There is no session in") as string });
  const script = home.script({ calls: [call("list_files", {})] }, { text: "Listed." });
  await home.run(["run", "list", "--model", script, "--on-request", "deny"]);
  const { out, err } = await home.run(["context"]);
  expect(err).toBe("");
  expect(out).toMatch(/^scripted\/.*tokens, the context window is unknown\n/);
  for (const part of ["System prompt", "how to work", "Built-in tools", "run_command", "Messages", "prompts", "Other tool results"])
    expect(out).toContain(part);
  expect(JSON.parse((await home.run(["context", "--json"])).out)).toMatchObject({ items: expect.any(Array) as unknown });

  const terminal = home.terminal(["--continue"]);
  await terminal.until("Listed.");
  terminal.press(`/context${KEY.enter}`);
  await terminal.until(/Other tool results +\d+/);
});
