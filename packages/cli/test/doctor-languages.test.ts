import { symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openHome } from "./support/home.ts";

const installed = fileURLToPath(new URL("../../../tools/language-servers/node_modules", import.meta.url));

test("`baton doctor` lists the language servers of a folder with their files, and says whether they start", async () => {
  await using home = openHome();
  symlinkSync(installed, path.join(home.workspace, "node_modules"));
  await home.run(["daemon", "start"]);
  const checks = async () => {
    const { out } = await home.run(["doctor", "--json"]);
    const all = (JSON.parse(out) as { checks: { name: string; state: string; message: string }[] }).checks;
    return all.filter(({ name, message }) => name === "language" && message.startsWith("typescript"));
  };
  const file = path.join("node_modules", ".bin", "typescript-language-server");
  expect(await checks()).toEqual([{ name: "language", state: "note", message: expect.stringContaining("this folder is not trusted") }]);
  await home.run(["trust"]);
  expect(await checks()).toEqual([{ name: "language", state: "ok", message: expect.stringMatching(`${file}$`) }]);
});
