import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { call, openHome } from "../support/home.ts";

test("`baton audit` shows decisions as a table, as CSV and as JSON lines", async () => {
  await using home = openHome();
  const command = call("run_command", { command: "echo hi > out.txt" });
  const done = await home.run([
    "run",
    "go",
    "--json",
    "--on-request",
    "deny",
    "--model",
    home.script({ calls: [command] }, { text: "Done." }),
  ]);
  const session = String((JSON.parse(done.out.trim().split("\n").at(-1) ?? "") as { session: string }).session);

  const table = await home.run(["audit", "--here"]);
  expect(table).toMatchObject({ code: 0, err: "" });
  expect(table.out).toMatch(new RegExp(`${session} {2}denied {3}unattended run_command: edit out.txt, command echo hi`));

  const lines = (await home.run(["audit", "--session", session, "--json"])).out.trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(rows).toMatchObject([{ sessionId: session, decision: "denied", by: "unattended", tool: "run_command" }]);

  const csv = (await home.run(["audit", "--csv"])).out.split("\n");
  expect(csv[0]).toBe("time,session,workspace,seq,decision,by,tool,what,why");
  expect(csv[1]).toContain(`,${session},`);
  expect(await home.run(["audit", "--csv", "--json"])).toMatchObject({ code: 2, out: "" });
  expect((await home.run(["audit", "--until", "1w"])).out).toMatch(/^No decisions/);
});

test("a denial names the rule that asked, and a folder that is not trusted", async () => {
  await using home = openHome();
  writeFileSync(home.file("config.jsonc"), '{ "permissions": { "command": { "make *": "deny" } } }');
  const calls = [call("run_command", { command: "ls" }), call("run_command", { command: "make all" })];
  const ran = await home.run(["run", "go", "--on-request", "deny", "--model", home.script({ calls }, { text: "Done." })]);
  expect(ran.err).toContain("the folder is not trusted (`baton trust`)");
  const rows = (await home.run(["audit", "--json"])).out.trim().split("\n");
  const whys = rows.map((line) => (JSON.parse(line) as { why: string }).why);
  expect(whys).toContainEqual(expect.stringMatching(/asked by ask command ls \(the folder is not trusted/));
  expect(whys).toContainEqual(expect.stringMatching(/^denied: command make \* \(user, config\.jsonc:\d+\)$/));
});
