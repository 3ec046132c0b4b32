import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ModelServer } from "../../daemon/test/support/model-server.ts";
import { breakPackage, conversationOf, PROMPT, repair } from "./support/broken-package.ts";
import { openHome, type Home } from "./support/home.ts";
import { KEY } from "./support/terminal.ts";

/** Other events come between those of the conversation. */
const SEQS = ["seq", "receivedSeq"];

/** A home whose model is the scripted server, and a workspace with the broken package. */
async function brokenHome(model: ModelServer): Promise<Home> {
  const home = openHome();
  breakPackage(home.workspace);
  home.configure(model.config);
  await home.run(["trust", "--restrict"]);
  return home;
}

test(
  "a session repairs a published package, headless and in the terminal, and both conversations are equal",
  { timeout: 90_000 },
  async () => {
    await using model = await ModelServer.start({ replies: repair });

    await using headless = await brokenHome(model);
    const ran = await headless.run(["run", "--json", "--on-request", "allow", PROMPT]);
    expect(ran).toMatchObject({ code: 0 });
    const lines = ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type?: string; requests?: unknown });
    expect(lines.at(-1)).toMatchObject({ type: "result", status: "completed", steps: 5, requests: { opened: 2, answered: 2, denied: 0 } });

    await using home = await brokenHome(model);
    const terminal = home.terminal([]);
    await terminal.until("Say what you want done.");
    terminal.press(PROMPT);
    await terminal.until(PROMPT);
    terminal.press(KEY.enter);
    await terminal.until("Change this file?");
    await terminal.until("your answer 1 2 3 4");
    terminal.press("1");
    await terminal.until("Run this command?");
    await terminal.until("your answer 1 2 3 4");
    terminal.press("1");
    await terminal.until("All tests of the package pass.");
    await terminal.until("# pass  153");

    for (const each of [headless, home]) expect(readFileSync(path.join(each.workspace, "index.js"), "utf8")).toContain("0x[0-9a-f]+");
    expect(await conversationOf(home, SEQS)).toEqual(await conversationOf(headless, SEQS));
    expect(model.violations).toEqual([]);
  },
);
