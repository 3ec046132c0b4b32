import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined };
const background = (command: string) => ({ tool: "run_command", input: { command, background: true } });

test("a session lists its background commands with live output, and stops one", here, async () => {
  await using opened = await Opened.start({ config: { permissions: { command: "allow" } } });
  const { daemon } = opened;
  const session = await daemon.session({
    model: script(daemon, [{ calls: [background("echo up; sleep 1; echo later; sleep 300"), background("exit 3")] }, { text: "Started." }]),
  });
  await session.prompt("serve");
  await session.untilEnd();
  const page = await opened.session(session.id, { width: 1_600 });
  const list = page.getByRole("complementary").getByRole("list").filter({ hasText: "sleep 300" });
  await list.getByText("exit 3", { exact: true }).last().waitFor();
  await list.getByText("running").waitFor();
  await list.getByText("echo up; sleep 1").click();
  await list.getByRole("group", { name: "Output" }).getByText("later").waitFor();
  await list.getByRole("button", { name: "Stop echo up" }).click();
  await list.getByText("stopped").waitFor();
  expect(await list.getByRole("button", { name: "Stop" }).count()).toBe(0);
});
