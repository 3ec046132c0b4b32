import { expect, test } from "vitest";
import { diagnosticsOf, edit, languageProject, patient } from "../support/language/language-project.ts";
import { script } from "../support/script.ts";

test("pyright reports a caller in another file that an edit broke", async () => {
  const files = {
    "shop/__init__.py": "",
    "shop/price.py": "def price(amount: int) -> int:\n    return amount * 2\n",
    "shop/cart.py": 'from shop.price import price\n\nwrong: int = "a"\n\ntotal = price(3)\n',
  };
  await using daemon = await languageProject({ config: patient, files });
  const breaking = edit("shop/price.py", "amount: int", "amount: int, rate: int");
  const session = await daemon.session({ model: script(daemon, [{ calls: [breaking] }, { text: "Done." }]) });
  await session.runTurn("go");
  expect(diagnosticsOf(session).map(({ view }) => view)).toEqual([
    { type: "files", files: [{ path: "shop/cart.py", line: 5, note: 'Argument missing for parameter "rate"' }] },
  ]);
});
