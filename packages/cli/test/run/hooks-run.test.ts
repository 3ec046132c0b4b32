import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { call, openHome } from "../support/home.ts";

const SCHEMA = { description: "Says hi.", input: { type: "object" }, access: {} };

test("a run without a user leaves requests about hooks and tools open, and `baton hooks` and `baton tools` decide about them", async () => {
  await using home = openHome();
  const folder = home.file();
  const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "touch guarded" }] }] };
  writeFileSync(
    path.join(folder, "config.jsonc"),
    JSON.stringify({ permissions: { command: "allow", edit: "allow", tool: "allow" }, hooks }),
  );
  mkdirSync(path.join(folder, "tools"));
  writeFileSync(path.join(folder, "tools/hi.sh"), "cat > /dev/null; echo hi there\n");
  writeFileSync(path.join(folder, "tools/hi.tool.json"), JSON.stringify(SCHEMA));
  const run = (onRequest: string, file = "made") =>
    home.run([
      "run",
      "go",
      "--on-request",
      onRequest,
      "--model",
      home.script({ calls: [call("hi", {}), call("run_command", { command: `touch ${file}` })] }, { text: "Done." }),
    ]);
  const isThere = (file: string) => existsSync(path.join(home.workspace, file));
  for (const onRequest of ["deny", "allow", "fail"])
    expect([onRequest, (await run(onRequest)).code, isThere("made")]).toEqual([onRequest, 3, false]);

  const listed = await home.run(["tools"]);
  expect(listed.out).toMatch(/script tools[\s\S]*hi {2}Says hi\.[\s\S]*hi\.sh[\s\S]*waits for your approval/);
  expect((await home.run(["tools", "approve", "hi"])).out).toMatch(/ {4}runs$/m);
  expect((await home.run(["hooks", "approve"])).out).toContain("touch guarded");
  expect((await run("deny", "later")).code).toBe(0); // the earlier sessions go on now, and Baton asks about files that they have edited
  expect([isThere("later"), isThere("guarded")]).toEqual([true, true]);
  expect((await home.run(["tools", "refuse", "hi"])).out).toContain("never runs");
  expect(await home.run(["tools", "approve", "nope"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("No tool of this folder") as string,
  });
});

test("`baton hooks test` shows the new arguments and the added text, and finds the value of an event that has only one", async () => {
  await using home = openHome();
  const printing = (output: unknown) => `echo '${JSON.stringify({ hookSpecificOutput: output })}'`;
  const change = printing({ updatedInput: { command: "ls -a" }, additionalContext: "Use -a." });
  const hooks = {
    PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: change }] }],
    SessionStart: [
      { matcher: "startup|resume", hooks: [{ type: "command", command: "echo The branch is main." }] },
      { matcher: "compact", hooks: [{ type: "command", command: "echo Compacted." }] },
    ],
    PreCompact: [{ matcher: "manual", hooks: [{ type: "command", command: `echo ${"long ".repeat(50)}` }] }],
  };
  writeFileSync(home.file("config.jsonc"), JSON.stringify({ hooks }));
  expect((await home.run(["hooks"])).out).toContain(
    'SessionStart has only the value startup in Baton, so the matcher "compact" never runs the hook.',
  );
  await home.run(["hooks", "approve"]);
  const testOf = async (...args: string[]) => (await home.run(["hooks", "test", ...args])).out;
  const changed = await testOf("PreToolUse", "--tool", "Bash", "--input", '{"command":"ls"}');
  expect(changed).toMatch(
    /changed the arguments of the call\.\n {2}The arguments are now {"command":"ls -a"}\n {2}It adds for the model: Use -a\.\n$/,
  );
  expect(await testOf("SessionStart")).toBe("The hook echo The branch is main. (config.jsonc:1) adds for the model: The branch is main.\n");
  expect(await testOf("PreCompact")).toContain("without a value. --value names one of auto, manual, and");
  expect(await testOf("PreCompact", "--value", "manual")).toMatch(/^The hook echo [long ]{50,60}… \(config\.jsonc:1\) has nothing to say/);
});
