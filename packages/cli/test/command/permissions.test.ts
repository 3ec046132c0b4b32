import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openHome } from "../support/home.ts";
import { linesOf } from "../support/json-lines.ts";

test("rules are listed in the format of the config, with higher rules in a separate list, and normal events of the daemon's log are not problems", async () => {
  await using home = openHome();
  const config = {
    permissions: [
      { action: "command", resource: "git *", effect: "ask" },
      { action: "command", resource: "git push *", effect: "deny" },
    ],
  };
  home.configure(config);
  const { out } = await home.run(["permissions", "--mode", "ask"]);
  const [rules = "", ...above] = out.split("\n\n");
  expect(rules).toMatch(/The last match decides\.\n  ◆ ask {3}\* \* [^]*◆ ask {3}command git \* [^]*– deny {2}command git push \* · user/);
  expect(above.at(-1)).toMatch(/^ {2}– deny {2}command git push \* · user/);
  expect((await home.run(["daemon", "logs"])).out).toMatch(/^\S+ \S+Z {2}pid \d+ {4}started, version/);
});

test("`baton permissions check` answers line by line, in order", async () => {
  await using home = openHome();
  const questions = [
    '{"tool":"read_file","input":{"path":"a.txt"}}',
    "nonsense",
    '{"action":"command","resource":"rm -rf /","rules":{"command":"deny"}}',
    '{"action":"command","resource":"ls","onlyRules":true,"rules":[{"action":"command","resource":"ls *","effect":"allow"}]}',
  ];
  const { code, out } = await home.run(["permissions", "check", "--stdin"], questions.join("\n"));
  expect(code).toBe(0);
  expect(linesOf(out).map((line) => line["effect"] ?? line["error"])).toEqual(["allow", "This line is not JSON.", "deny", "allow"]);

  const file = path.join(home.workspace, "rules.json");
  writeFileSync(file, '{"read":"deny"}');
  const check = (rules: string) => home.run(["permissions", "check", "--stdin", "--rules", rules], questions.join("\n"));
  expect(linesOf((await check(file)).out)[0]).toMatchObject({ effect: "deny" });
  expect(await check(`${file}x`)).toMatchObject({ code: 2, err: expect.stringContaining("cannot be read") as string });
});

test("each question gets one answer, whatever its characters are and however many rules belong to it", async () => {
  await using home = openHome();
  const rules = Array.from({ length: 40 }, (_, i) => ({ action: "command", resource: `tool-${i} *`, effect: "deny" }));
  const questions = Array.from({ length: 1_000 }, (_, i) =>
    JSON.stringify({ ...(i % 2 === 0 ? { action: "read", resource: "a\u2028b" } : { action: "command", resource: "tool-7 x" }), rules }),
  );
  const { code, out } = await home.run(["permissions", "check", "--stdin"], questions.join("\n"));
  expect(code).toBe(0);
  expect(linesOf(out).map((line) => line["effect"])).toEqual(questions.map((_, i) => (i % 2 === 0 ? "allow" : "deny")));
});

test("`baton trust` names a file of another agent that Baton does not use", async () => {
  await using home = openHome();
  writeFileSync(path.join(home.workspace, ".rooignore"), "secret/**\n");
  const trusted = await home.run(["trust"]);
  expect(trusted).toMatchObject({ code: 0, err: "" });
  expect(trusted.out).toContain("Baton does not use .rooignore, so agents can read the files that are listed there.");
  rmSync(path.join(home.workspace, ".rooignore"));
  expect((await home.run(["trust", "--status"])).out).not.toContain("ignore");
});
