import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined, timeout: 120_000 };
const call = (tool: string, input: unknown) => ({ tool, input });

/** What the checker finds, each as one line. */
async function violations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const checker: unknown = Reflect.get(window, "axe");
    const { run } = checker as typeof axe;
    const { violations: found } = await run(document, { resultTypes: ["violations"] });
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary ?? ""}`),
    );
  });
}

const WIDTHS = [1440, 1024, 360];
const LOOKS = [
  { theme: "light", contrast: "" },
  { theme: "dark", contrast: "" },
  { theme: "light", contrast: "more" },
  { theme: "dark", contrast: "more" },
];

test("an accessibility checker finds nothing: all widths, themes and contrasts, with and without requests", here, async () => {
  await using opened = await Opened.start({ config: { permissions: [{ action: "read", resource: "*.secret", effect: "deny" }] } });
  opened.daemon.write("a.txt", "one\ntwo\nthree\n");
  opened.daemon.write("b.secret", "no");
  const text =
    "# Title\n\nSome `code`, a [link](https://example.com) and\n\n```ts\nconst a = 1; // comment\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |";
  const full = script(opened.daemon, [
    {
      text,
      calls: [
        call("read_file", { path: "a.txt" }),
        call("list_files", {}),
        call("read_file", { path: "b.secret" }),
        call("read_file", { path: "gone" }),
      ],
    },
    {
      calls: [
        call("run_command", { command: "echo hi && git push" }),
        call("edit_file", { path: "a.txt", old_text: "two", new_text: "2" }),
        call("ask_followup_question", { question: "Which?", follow_up: [{ text: "this" }, { text: "that" }] }),
      ],
    },
  ]);
  const busy = await opened.daemon.session({ model: full });
  await busy.prompt("go");
  await busy.untilOpen(3);
  await busy.prompt("and then this");
  const done = await opened.daemon.session({ model: script(opened.daemon, [{ text }]) });
  await done.prompt("say something");
  await done.untilEnd();

  const found: string[] = [];
  for (const width of WIDTHS) {
    const page = await opened.page("/", { width, height: 800 });
    await page.emulateMedia({ reducedMotion: "reduce" }); // so that no colour is measured on its way to another
    await page.evaluate(axe.source);
    for (const place of [`/session/${busy.id}`, `/session/${done.id}`, "/", "/new"]) {
      await page.evaluate((hash) => void (location.hash = hash), `#${place}`);
      await page
        .locator(place === `/session/${busy.id}` ? ".request.now" : place.startsWith("/session") ? ".prose" : "main:visible, .side:visible")
        .first()
        .waitFor();
      for (const { theme, contrast } of LOOKS) {
        await page.evaluate((look) => Object.assign(document.documentElement.dataset, look), { theme, contrast });
        for (const line of await violations(page)) found.push(`${width} ${theme} ${contrast} ${place.slice(0, 9)} ${line}`);
      }
    }
    await page.context().close();
  }
  expect(found).toEqual([]);
});
