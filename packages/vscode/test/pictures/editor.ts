import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { call, openSettledHome } from "../../../cli/test/support/home.ts";
import { Editor } from "../support/editor.ts";
import { command, openView, untilQuiet } from "../support/window.ts";

const STORE = "export function book(event: Event) {\n  insert(event);\n  return event;\n}\n";
const CHANGED = "export function book(event: Event) {\n  const row = insertOnce(event);\n  return row ?? event;\n}\n";
const SIZE = { width: 1280, height: 900 };

/** Pictures of a real editor that shows a change as a diff, in a light and a dark theme. */
export async function editorPictures(folder: string): Promise<void> {
  await using home = await openSettledHome();
  const model = home.script({
    text: "One change makes the insert safe.",
    calls: [call("write_file", { path: "store.ts", content: CHANGED })],
  });
  writeFileSync(path.join(home.workspace, "store.ts"), STORE);
  const config = home.file("config.jsonc");
  mkdirSync(path.dirname(config), { recursive: true });
  writeFileSync(config, JSON.stringify({ model }));
  await home.run(["daemon", "restart"]);
  await using editor = await Editor.start({ env: home.env, settings: themeOf("light") });
  const window = await editor.window(home.workspace, SIZE);
  const view = await openView(window);
  await view.getByRole("textbox", { name: "Prompt" }).fill("Book each charge once");
  await view.getByRole("button", { name: /^Send/ }).click();
  await window.locator(".tab", { hasText: "Change this file? store.ts" }).waitFor();
  await view.getByRole("region", { name: /^Edit / }).waitFor();
  await window.locator(".editor .view-line", { hasText: "insertOnce" }).first().waitFor();
  await command(window, "Notifications: Clear All Notifications");
  for (const theme of ["light", "dark"] as const) {
    editor.set(themeOf(theme));
    await window.locator(theme === "light" ? ".monaco-workbench.vs" : ".monaco-workbench.vs-dark").waitFor();
    await untilQuiet(window);
    await window.screenshot({ path: path.join(folder, `vscode-${theme}.png`) });
  }
}

const themeOf = (theme: "light" | "dark"): Record<string, unknown> => ({
  "workbench.colorTheme": theme === "light" ? "Default Light Modern" : "Default Dark Modern",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
});
