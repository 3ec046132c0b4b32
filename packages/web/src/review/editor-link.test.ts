import { expect, test } from "vitest";
import { editorLink, isLocalPage } from "./editor-link.ts";

test("a file of a workspace has an address in the editor", () => {
  expect(editorLink("vscode", "/home/ada/a b", "src/main.ts", 12)).toBe("vscode://file/home/ada/a%20b/src/main.ts:12");
  expect(editorLink("cursor", "/home/ada/", "/etc/hosts", 1)).toBe("cursor://file/etc/hosts:1");
  expect(editorLink("vscode", "C:\\work", "src\\a#b.ts", 3)).toBe("vscode://file/C:/work/src/a%23b.ts:3");
});

test("only a page on this machine links to its files", () => {
  expect(["localhost", "127.0.0.1", "[::1]"].every(isLocalPage)).toBe(true);
  expect(["baton.example", "127.0.0.1.example", "192.168.0.3"].some(isLocalPage)).toBe(false);
});
