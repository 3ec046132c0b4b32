import { expect, test } from "vitest";
import { call, openHome } from "../support/home.ts";

const command = call("run_command", { command: "echo hi" });

test("another command can answer a request that a run waits for, and the second answer names the first one", async () => {
  await using home = openHome();
  const model = home.script({ calls: [command] }, { text: "Done." });
  const waiting = home.run(["run", "go", "--on-request", "wait", "--model", model]);
  const id = await firstRequest(() => home.run(["inbox", "--json"]));
  const wrong = await home.run(["answer", id, "perhaps"]);
  expect([wrong.code, wrong.err]).toEqual([
    2,
    `baton: This request has no choice "perhaps". Choose one of: once, session, workspace, deny.\n`,
  ]);
  expect((await home.run(["answer", id.slice(0, 5), "1"])).out).toBe(`Answered ${id}: once.\n`);
  const late = await home.run(["answer", id, "deny"]);
  expect([late.code, late.err]).toEqual([1, "baton: Already answered by cli: once.\n"]);
  const { code, out, err } = await waiting;
  expect({ code, out }).toEqual({ code: 0, out: "Done.\n" });
  expect(err).toContain(`(or with session, workspace, deny):\n    baton answer ${id} once\n`);
  expect(err).toMatch(/Run this command\? +\[code\] · /);
});

test("the numbers of an inbox keep their meaning after requests appear or disappear", async () => {
  await using home = openHome();
  const model = home.script({ calls: [command] }, { text: "Done." });
  const leave = () => home.run(["run", "go", "--on-request", "fail", "--model", model]);
  expect((await home.run(["answer", "1", "once"])).err).toContain("Run `baton inbox`, or give the id.");
  await leave();
  await leave();
  const ids = (await home.run(["inbox"])).out.match(/\S+-s1\.1/g) ?? [];
  expect((await home.run(["answer", "1", "deny"])).out).toBe(`Answered ${ids[0]}: deny.\n`);
  expect((await home.run(["answer", "2", "deny"])).out).toBe(`Answered ${ids[1]}: deny.\n`);
  expect((await home.run(["answer", "3", "deny"])).err).toContain("The inbox last printed had 2 requests.");
});

/** Asks the daemon until there is a request. */
async function firstRequest(ask: () => Promise<{ out: string }>): Promise<string> {
  for (;;) {
    const id = /^\[\{"id":"([^"]+)"/.exec((await ask()).out)?.[1];
    if (id !== undefined) return id;
  }
}
