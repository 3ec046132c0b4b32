import { expect, test } from "vitest";
import { diagnosticsOf, edit, languageProject, patient } from "../support/language-project.ts";
import { script } from "../support/script.ts";

const files = {
  "package.json": `{ "type": "module" }`,
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, module: "nodenext", noEmit: true, types: [] }, include: ["src"] }),
  "src/price.ts": "export function price(amount: number): number {\n  return amount * 2;\n}\n",
  "src/cart.ts": `import { price } from "./price.js";\n\nconst wrong: string = 1;\n\nexport const total = price(3);\n`,
};

test("an edit that breaks a caller in another file reports its line, and nothing that was wrong before", async () => {
  await using daemon = await languageProject({ config: patient, files });
  const breaking = edit("src/price.ts", "amount: number", "amount: number, rate: number");
  const session = await daemon.session({ model: script(daemon, [{ calls: [breaking] }, { text: "Done." }]) });
  await session.prompt("go");
  await session.untilEnd();
  expect(diagnosticsOf(session)).toEqual([
    {
      callId: "s1.1",
      text: "This edit caused 1 new error:\nsrc/cart.ts:5:22: Expected 2 arguments, but got 1.\nFix them before you finish.",
      view: { type: "files", files: [{ path: "src/cart.ts", line: 5, note: "Expected 2 arguments, but got 1." }] },
    },
  ]);
});
