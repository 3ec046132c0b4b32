import { existsSync } from "node:fs";
import path from "node:path";
import axe from "axe-core";
import { expect, test } from "vitest";
import { script } from "../../../daemon/test/support/script.ts";
import { chromiumPath } from "../support/browser.ts";
import { LOOKS, violationsIn } from "../support/checker.ts";
import { Opened } from "../support/opened.ts";

const command = (line: string) => ({ type: "command", command: line });
const config = {
  permissions: { command: "allow" },
  hooks: {
    PreToolUse: [{ matcher: "Bash", hooks: [command("touch guarded; echo 'not now' >&2; exit 2")] }],
    Stop: [{ hooks: [command("touch stopped")] }],
  },
};

test(
  "hooks are shown and approved on the page, and a call shows the output of its hook",
  { skip: chromiumPath === undefined, timeout: 60_000 },
  async () => {
    await using opened = await Opened.start({ config });
    const { daemon } = opened;
    const page = await opened.page(`/settings/hooks/${encodeURIComponent(daemon.workspace)}`);
    await page.getByRole("heading", { name: "PreToolUse" }).waitFor();
    await page.getByRole("button", { name: /^Run it: touch guarded/ }).click();
    await page.getByText("Runs", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Never run it: touch stopped" }).click();
    await page.getByText("Never runs, because you refused it").waitFor();
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.evaluate(axe.source);
    expect(await violationsIn(LOOKS, page)).toEqual([]);

    const session = await daemon.session({
      model: script(daemon, [{ calls: [{ tool: "run_command", input: { command: "echo hi" } }] }, { text: "Done." }]),
    });
    await session.runTurn("go");
    expect(session.finished.map(({ result }) => result.outcome)).toEqual(["denied"]);
    expect(["guarded", "stopped"].map((name) => existsSync(path.join(daemon.workspace, name)))).toEqual([true, false]);
    const conversation = await opened.session(session.id);
    await conversation
      .getByText(/refused it: not now/)
      .first()
      .waitFor();
    const narrow = await opened.page(`/settings/hooks/${encodeURIComponent(daemon.workspace)}`, { width: 360 });
    await narrow.getByRole("heading", { name: "PreToolUse" }).waitFor();
    expect(await narrow.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(opened.browser.errors).toEqual([]);
  },
);
