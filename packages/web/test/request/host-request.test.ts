import { spawnSync } from "node:child_process";
import axe from "axe-core";
import { expect, test } from "vitest";
import { script } from "../../../daemon/test/support/script.ts";
import { chromiumPath, leavePrompt } from "../support/browser.ts";
import { LOOKS, violationsIn } from "../support/checker.ts";
import { Opened } from "../support/opened.ts";

const hasSandbox =
  spawnSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "/bin/true"]).status === 0;

test(
  "a request about a host names it in the inbox and in the session, shows the time that is left, and is answered with a wider rule by keys",
  { skip: chromiumPath === undefined || !hasSandbox, timeout: 60_000 },
  async () => {
    await using opened = await Opened.start({ config: { sandbox: "on", permissions: { command: "allow" } } });
    const { daemon } = opened;
    const get = (host: string) => ({ tool: "run_command", input: { command: `curl -s -S -m 90 http://${host}/ || true` } });
    const session = await daemon.session({
      model: script(daemon, [{ calls: [get("data.example.invalid")] }, { calls: [get("more.example.invalid")] }, { text: "Done." }]),
    });
    await session.prompt("Download it");
    await session.untilOpen();
    const page = await opened.session(session.id);
    const title = "Let commands connect to data.example.invalid?";
    await page.getByRole("navigation", { name: "Sessions" }).getByText(title).waitFor();
    const card = page.getByRole("region", { name: title });
    await card.getByText(/^\d+ s left$/).waitFor();
    await card.getByText("Asks because no rule allows it.").waitFor();
    expect(await card.getByRole("button", { name: /Note/ }).count()).toBe(0); // there is no result that could carry one
    expect(await card.getByRole("button", { name: /Allow once|This session|This workspace|Deny/ }).allTextContents()).toEqual([
      "1Allow once",
      "2This session",
      "3This workspace",
      "4Deny",
    ]);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.evaluate(axe.source);
    expect(await violationsIn(LOOKS.slice(0, 2), page)).toEqual([]);

    await leavePrompt(page);
    await page.keyboard.press("e");
    const rule = card.getByRole("textbox", { name: "Rule to remember" });
    await rule.fill("network *.example.invalid");
    await page.keyboard.press("Enter");
    await leavePrompt(page);
    await page.keyboard.press("2");
    await session.untilEnd(); // the second host needs no answer
    expect(session.state.grants.map(({ rule: { action, resource } }) => [action, resource])).toEqual([["network", "*.example.invalid"]]);
    expect(opened.browser.errors).toEqual([]);
  },
);
