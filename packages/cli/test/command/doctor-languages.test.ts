import { symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openHome } from "../support/home.ts";

const installed = fileURLToPath(new URL("../../../../tools/language-servers/node_modules", import.meta.url));

test("`baton doctor` lists the language servers and files of a folder, and whether the servers start", async () => {
  await using home = openHome();
  symlinkSync(installed, path.join(home.workspace, "node_modules"));
  await home.run(["daemon", "start"]);
  const checks = async () => {
    const { out } = await home.run(["doctor", "--json"]);
    const all = (JSON.parse(out) as { checks: { name: string; state: string; message: string }[] }).checks;
    const found = all.filter(({ name, message }) => name === "language" && message.startsWith("typescript"));
    return found.map(({ state, message }) => [state, message.replace(/: .*?node_modules/, ": node_modules")]);
  };
  const message = `typescript: ${path.join("node_modules", ".bin", "typescript-language-server")}`;
  expect(await checks()).toEqual([["note", `${message}; this folder is not trusted, so it is not started here`]]);
  await home.run(["trust"]);
  expect(await checks()).toEqual([["ok", message]]);
});
