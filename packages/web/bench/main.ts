import { tableOf } from "../../daemon/bench/table.ts";
import { chromiumPath, endBrowser } from "../test/support/browser.ts";
import { answering, longTasks, memory } from "./cost.ts";
import { visible } from "./visible.ts";

/** Measures the rows of the page in a real browser, each beside a reference from the same run. */
if (chromiumPath !== undefined) {
  const rows = [await visible(), await longTasks(), ...(await answering()), await memory()];
  process.stdout.write(`\nThe page, in Chromium\n\n${tableOf(rows)}\n`);
  await endBrowser();
}
