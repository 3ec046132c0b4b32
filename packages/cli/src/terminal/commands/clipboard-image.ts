import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { MAX_IMAGE_BYTES } from "@baton/core/protocol/image-limits";
import { detectImageType } from "@baton/core/text/image-type";

/** A program that prints the image of the clipboard as PNG, and the package that contains it. */
type Reader = { program: string; args: readonly string[]; package: string };

const TIMEOUT_MS = 3_000;

/** The programs for this desktop. */
export function clipboardReaders(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Reader[] {
  if (platform === "darwin") return [{ program: "pngpaste", args: ["-"], package: "pngpaste" }];
  const wayland: Reader = { program: "wl-paste", args: ["--no-newline", "--type", "image/png"], package: "wl-clipboard" };
  const x11: Reader = { program: "xclip", args: ["-selection", "clipboard", "-target", "image/png", "-out"], package: "xclip" };
  return [...(env["WAYLAND_DISPLAY"] ? [wayland] : []), ...(env["DISPLAY"] ? [x11] : [])];
}

/** Reads the image of the clipboard. Returns a sentence if there is none. */
export async function readClipboardImage(env = process.env, platform = process.platform): Promise<{ image: Buffer } | { problem: string }> {
  const readers = clipboardReaders(env, platform);
  if (readers.length === 0) return { problem: "Baton cannot reach a clipboard here. Drag the file into the terminal instead." };
  const missing: string[] = [];
  for (const reader of readers) {
    const result = await run(reader, env);
    if (result === "missing") missing.push(reader.package);
    else if (result && detectImageType(result) !== undefined) return { image: result };
  }
  if (missing.length === readers.length) return { problem: `Install ${missing.join(" or ")} to paste images.` };
  return { problem: "The clipboard has no image." };
}

/** The output of the program. Undefined if it failed. */
const run = ({ program, args }: Reader, env: NodeJS.ProcessEnv): Promise<Buffer | "missing" | undefined> =>
  new Promise((resolve) => {
    execFile(
      program,
      args,
      { env, encoding: "buffer", timeout: TIMEOUT_MS, killSignal: "SIGKILL", maxBuffer: MAX_IMAGE_BYTES },
      (error, stdout) => resolve(error ? (error.code === "ENOENT" ? "missing" : undefined) : stdout),
    );
  });

/** Keeps pasted images in files until the client ends. */
export class PastedImages {
  #folder: string | undefined;
  #count = 0;

  /** Writes an image to a file and returns its path. */
  add(image: Buffer): string {
    this.#folder ??= mkdtempSync(path.join(tmpdir(), "baton-images-"));
    const file = path.join(this.#folder, `image-${++this.#count}.png`);
    writeFileSync(file, image, { mode: 0o600 });
    return file;
  }

  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}
