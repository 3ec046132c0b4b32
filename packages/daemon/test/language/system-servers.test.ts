import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { diagnosticsOf, edit, languageProject, patient } from "../support/language/language-project.ts";
import { script } from "../support/script.ts";

/** Servers and their helpers that come with the system, such as the packages of Debian. */
const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

test.runIf(has("clangd", "--version"))("clangd reports a caller in another file that an edit of a header broke", async () => {
  const files = {
    "price.h": "int price(int amount);\n",
    "price.c": '#include "price.h"\nint price(int amount) { return amount; }\n',
    "main.c": '#include "price.h"\nint wrong = "a" + unknown;\nint main(void) { return price(3); }\n',
  };
  await using daemon = await languageProject({ config: patient, files });
  const entries = ["main.c", "price.c"].map((file) => ({ directory: daemon.workspace, command: `cc -c ${file}`, file }));
  daemon.write("compile_commands.json", JSON.stringify(entries));
  const session = await daemon.session({
    model: script(daemon, [{ calls: [edit("price.h", "int amount", "int amount, int rate")] }, { text: "Done." }]),
  });
  await session.runTurn("go");
  expect(diagnosticsOf(session)).toMatchObject([{ callId: "s1.1", view: { files: [{ path: "main.c", line: 3 }] } }]);
});

test.runIf(has("shellcheck", "--version"))(
  "bash-language-server reports the errors of shellcheck on the lines that an edit broke",
  async () => {
    await using daemon = await languageProject({ config: patient, files: { "run.sh": "#!/bin/bash\nif true; then\n  echo hi\nfi\n" } });
    const session = await daemon.session({ model: script(daemon, [{ calls: [edit("run.sh", "fi\n", "")] }, { text: "Done." }]) });
    await session.runTurn("go");
    const [found] = diagnosticsOf(session);
    expect(found?.text).toContain("run.sh:2:1: Couldn't find 'fi' for this 'if'.");
  },
);

test.runIf(has("gopls", "version") && has("go", "version"))("gopls reports a caller in another file that an edit broke", async () => {
  const files = {
    "go.mod": "module shop\n\ngo 1.19\n",
    "price.go": "package main\n\nfunc price(amount int) int { return amount }\n",
    "main.go": 'package main\n\nvar wrong int = "a"\n\nfunc main() { println(price(3)) }\n',
  };
  await using daemon = await languageProject({ config: patient, files });
  const session = await daemon.session({
    model: script(daemon, [{ calls: [edit("price.go", "amount int)", "amount int, rate int)")] }, { text: "Done." }]),
  });
  await session.runTurn("go");
  expect(diagnosticsOf(session)).toMatchObject([{ callId: "s1.1", view: { files: [{ path: "main.go", line: 5 }] } }]);
});
