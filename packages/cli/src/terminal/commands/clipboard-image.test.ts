import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { clipboardReaders, PastedImages, readClipboardImage } from "./clipboard-image.ts";

const folder = mkdtempSync(path.join(tmpdir(), "baton-clipboard-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");
writeFileSync(path.join(folder, "clipboard.png"), PNG);

/** Replaces xclip, because the test has no X server. */
function withXclip(script: string): NodeJS.ProcessEnv {
  const file = path.join(folder, "xclip");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ":0" };
}

const read = (env: NodeJS.ProcessEnv) => readClipboardImage(env, "linux");

test("each desktop uses its own program", () => {
  const programs = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform) => clipboardReaders(env, platform).map(({ program }) => program);
  expect(programs({ WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" }, "linux")).toEqual(["wl-paste", "xclip"]);
  expect(programs({ DISPLAY: ":0" }, "linux")).toEqual(["xclip"]);
  expect(programs({}, "darwin")).toEqual(["pngpaste"]);
  expect(programs({}, "linux")).toEqual([]);
});

test("the output of the program becomes the image", async () => {
  expect(await read(withXclip(`cat ${folder}/clipboard.png`))).toEqual({ image: PNG });
});

test("without an image, a program or a desktop, the user gets the reason", async () => {
  expect(await read(withXclip("echo 'Error: target image/png not available' >&2; exit 1"))).toEqual({
    problem: "The clipboard has no image.",
  });
  expect(await read(withXclip("echo text"))).toEqual({ problem: "The clipboard has no image." });
  expect(await read({ PATH: "/nowhere", DISPLAY: ":0", WAYLAND_DISPLAY: "w" })).toEqual({
    problem: "Install wl-clipboard or xclip to paste images.",
  });
  expect(await read({})).toEqual({ problem: expect.stringContaining("Drag the file into the terminal") as unknown });
});

test("a program that hangs is stopped", async () => {
  expect(await read(withXclip("exec sleep 60"))).toEqual({ problem: "The clipboard has no image." });
});

test("a pasted image is a private file until the client ends", () => {
  const images = new PastedImages();
  const file = images.add(PNG);
  expect(readFileSync(file)).toEqual(PNG);
  expect(images.add(PNG)).not.toBe(file);
  images.close();
  expect(existsSync(file)).toBe(false);
});
