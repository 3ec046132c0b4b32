import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined };
const call = (tool: string, input: unknown) => ({ tool, input });

const EVIL = [
  "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'>",
  "![p](https://evil.example/pixel.png) [click](javascript:window.pwned=3) [host](https://evil.example/path)",
  "<iframe src='https://evil.example'></iframe> safe\u202etxt.exe zero\u200bwidth \u001b[31mred\u001b[0m \u001b]0;title\u0007after",
  "| a | b\n|--|\n```ts\nnever closed <b>",
].join("\n\n");

test("text of models and tools runs nothing, hides nothing and contacts no other hosts", here, async () => {
  await using opened = await Opened.start();
  opened.daemon.write("evil.txt", EVIL);
  const content = "safe\u202etxt.exe \u200b <img src=x onerror=window.pwned=4>\n";
  const model = script(opened.daemon, [
    { text: EVIL, calls: [call("read_file", { path: "evil.txt" })] },
    { text: "**bold and `code\n- [ ] open", calls: [call("write_file", { path: "new.txt", content })] },
  ]);
  const session = await opened.daemon.session({ model });
  await session.prompt(`<b>me</b> ${EVIL}`);
  await session.untilOpen();
  const page = await opened.session(session.id);
  const card = page.getByRole("region", { name: /^Create .*\?$/ });
  await card.waitFor();
  const shown = await card.innerText();
  expect(shown).toContain("safe\\u{202e}txt.exe \\u{200b}");
  await page.getByRole("region", { name: "Transcript" }).evaluate((box) => box.scrollTo(0, 0));
  await page.getByText("(evil.example)").first().waitFor();
  const text = await page.locator("body").innerText();
  expect(text).toContain("<script>window.pwned = 1</script>");
  expect(text).not.toMatch(/[\u202e\u200b]/);
  expect(text).not.toContain("[31m");
  expect(await page.evaluate(() => String(Reflect.get(window, "pwned")))).toBe("undefined");
  expect(await page.locator("img, iframe, a[href^=javascript]").count()).toBe(0);
  expect(opened.browser.foreign).toEqual([]);
  expect(opened.browser.errors).toEqual([]);
});

test("a line of ten million characters is shortened, and the page stays quick", here, async () => {
  await using opened = await Opened.start({ config: { permissions: [{ action: "command", resource: "*", effect: "allow" }] } });
  const model = script(opened.daemon, [
    { calls: [call("run_command", { command: "head -c 10000000 /dev/zero | tr '\\0' 'x'" })] },
    { text: `Here it is: ${"y".repeat(500_000)}` },
    { text: "Done." },
  ]);
  const session = await opened.daemon.session({ model });
  await session.prompt("go");
  await session.until("an end", ({ state }) => !state.turn || state.calls.some((each) => each.phase === "waiting"));
  if (session.state.turn) {
    await session.answer({ choice: "once" });
    await session.untilEnd();
  }
  const page = await opened.session(session.id);
  await page.getByText("more characters").first().waitFor();
  await page.getByRole("textbox", { name: "Prompt" }).fill("still here");
  expect(opened.browser.errors).toEqual([]);
});
