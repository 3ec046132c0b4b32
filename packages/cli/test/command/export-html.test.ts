import { expect, test } from "vitest";
import { call, openHome } from "../support/home.ts";

test("`baton export --html` prints one page without secrets, and stderr shows how many secrets it masked", async () => {
  await using home = openHome();
  const secret = `ghp_${"a1B2".repeat(9)}`;
  const command = call("run_command", { command: `echo "TOKEN=${secret}"` });
  const done = await home.run([
    "run",
    "print <b>it</b>",
    "--json",
    "--on-request",
    "allow",
    "--model",
    home.script({ calls: [command] }, { text: "**Done.**" }),
  ]);
  const session = String((JSON.parse(done.out.trim().split("\n").at(-1) ?? "") as { session: string }).session);
  const { code, out, err } = await home.run(["export", session, "--html"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
  expect(out).toContain("print &lt;b&gt;it&lt;/b&gt;");
  expect(out).toContain("<strong>Done.</strong>");
  expect(out).not.toContain(secret);
  expect(err).toMatch(/^\d+ secrets masked\. .*read the file before you share it\.\n$/);
  expect((await home.run(["export", session])).out).toContain(secret);
  expect(await home.run(["export", session, "--html", "--markdown"])).toMatchObject({ code: 2, out: "" });
});

test("in a terminal, `baton export --html` asks before it writes a file", async () => {
  await using home = openHome();
  await home.run(["run", "hello", "--json", "--model", home.script({ text: "Hello." })]);
  const [row] = JSON.parse((await home.run(["sessions", "--json"])).out) as { id: string }[];
  const terminal = home.terminal(["export", row?.id ?? "", "--html"]);
  await terminal.until("Write the conversation? [y/N]");
  terminal.press("n\r");
  await terminal.until("Nothing was written.");
  expect(terminal.text()).not.toContain("<!doctype");
});
