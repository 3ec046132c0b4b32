import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { openHome } from "../support/home.ts";

test("a key from a pipe enables the models of its provider, and can be removed again", async () => {
  await using home = openHome();
  const login = await home.run(["auth", "login", "anthropic"], "sk-canary\n");
  expect(login).toMatchObject({ code: 0, err: "" });
  expect(login.out).not.toContain("canary");
  const file = home.file("keys.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain("sk-canary");
  expect((await home.run(["auth", "list", "--json"])).out).toBe('[{"provider":"anthropic","place":"file"}]\n');
  expect((await home.run(["models"])).out).toMatch(/^anthropic\/claude-\S+ +\d+k tokens, \$/m);
  expect(await home.run(["auth", "logout", "anthropic"])).toMatchObject({ code: 0 });
  expect(await home.run(["auth", "logout", "anthropic"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("stores no key") as unknown,
  });
});

test("usage is listed by day, session and model, even if there is none", async () => {
  await using home = openHome();
  expect((await home.run(["usage"])).out).toBe("Nothing was used in the last 30 days.\n");
  await home.run(["run", "go", "--model", home.script({ text: "Hello." })]);
  const [bySession, byDay] = [await home.run(["usage", "--by", "session", "--json"]), await home.run(["usage"])];
  expect(JSON.parse(bySession.out)).toMatchObject({ steps: 1, cost: 0, own: 0, sessions: 1, title: "go" });
  const { session: id } = JSON.parse(bySession.out) as { session: string };
  await home.run(["run", "again", "--session", id, "--model", home.script({ text: "" }, { text: "Hello again." })]);
  const byTurn = (await home.run(["usage", "--session", id, "--json"])).out.trim().split("\n");
  expect(byTurn.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { turn: "1", title: "go", steps: 1, cost: 0 },
    { turn: "2", title: "again", steps: 1, cost: 0 },
  ]);
  expect((await home.run(["usage", "--session", id, "--by", "step"])).out).toMatch(/^s2 +0 +0 +0 +0 +0 +1 +\$0\.00 +scripted/m);
  expect((await home.run(["usage", "--by", "step"])).code).toBe(2);
  expect(byDay.out.split("\n")[0]).toMatch(/^day +input +cached +written +output +reasoning +steps +cost$/);
});
