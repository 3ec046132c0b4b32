import { createHash } from "node:crypto";
import { copyFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { attachmentSizeText } from "@baton/core/text/attachment-text";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ModelServer } from "../../daemon/test/support/model-server.ts";
import { chromiumPath } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";

const here = { skip: chromiumPath === undefined };
/** A real image, larger than one message may be. */
const file = fileURLToPath(new URL("../../../docs/images/session-1440-light.png", import.meta.url));
const picture = readFileSync(file);
const hash = createHash("sha256").update(picture).digest("hex");

/** Passes the image to the prompt as the browser would: pasted, or dropped. */
async function hand(page: Page, how: "paste" | "drop", name = "shot.png", type = "image/png"): Promise<void> {
  const data = await page.evaluateHandle(
    ({ base64, name: called, type: kind }) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], called, { type: kind }));
      return transfer;
    },
    { base64: picture.toString("base64"), name, type },
  );
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  if (how === "drop") return prompt.dispatchEvent("drop", { dataTransfer: data });
  await prompt.evaluate((box, clipboardData) => {
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}

test("images can be chosen, pasted, dropped and removed, are sent with the prompt, and appear in the conversation", here, async () => {
  await using model = await ModelServer.start({ replies: [{ text: "A window." }] });
  await using opened = await Opened.start({
    config: model.config,
  });
  const session = await opened.daemon.session();
  const page = await opened.session(session.id);
  const thumbs = page.getByRole("list", { name: "Images for this prompt" });
  await page.locator("input[type=file]").setInputFiles(file);
  await thumbs.getByRole("button", { name: "Enlarge session-1440-light.png" }).waitFor();
  await hand(page, "paste");
  await thumbs.getByRole("button", { name: "Enlarge shot.png" }).waitFor();
  await hand(page, "drop", "dropped.png");
  await thumbs.getByRole("button", { name: "Enlarge dropped.png" }).waitFor();
  await thumbs.getByRole("button", { name: "Remove shot.png" }).click();
  await expect.poll(() => thumbs.getByRole("listitem").count()).toBe(2);

  await page.reload(); // images that the daemon already has stay beside the draft
  await thumbs.getByRole("button", { name: "Enlarge dropped.png" }).waitFor();
  await thumbs.getByRole("button", { name: "Remove dropped.png" }).click();
  await hand(page, "paste", "plan.pdf", "application/pdf");
  await thumbs.getByText("plan.pdf").waitFor();

  await page.getByRole("textbox", { name: "Prompt" }).fill("What is this?");
  await expect.poll(() => page.getByRole("button", { name: /^Send/ }).isEnabled()).toBe(true); // the page was reloaded, and the file may still be uploading
  await page.getByRole("textbox", { name: "Prompt" }).press("Enter");
  await page.getByRole("region", { name: "Transcript" }).getByText("A window.").waitFor();
  expect(await thumbs.count()).toBe(0);
  const [, user] = model.requests[0]?.messages ?? [];
  expect(user).toMatchObject({
    content: [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${picture.toString("base64")}` } },
      { type: "text", text: expect.stringContaining("[plan.pdf (") as unknown },
    ],
  });
  expect(session.events.flatMap((event) => (event.type === "prompt.received" ? (event.images ?? []) : []))).toEqual([
    { blob: hash, mediaType: "image/png", name: "session-1440-light.png" },
    { blob: hash, mediaType: "application/pdf", name: "plan.pdf" },
  ]);
  await page.getByRole("article", { name: "You" }).getByText("plan.pdf").waitFor();

  const shown = page.getByRole("article", { name: "You" }).getByRole("button", { name: "Enlarge Image 1 of 2" });
  expect(await shown.locator("img").evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(1440);
  await shown.click();
  await page.getByRole("dialog", { name: "Image 1 of 2" }).getByRole("img", { name: "Image 1 of 2" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(opened.browser.errors).toEqual([]);
  expect(opened.browser.foreign).toEqual([]);
});

test("an image that a call returned is shown with the call, and large after a click", here, async () => {
  const calls = [{ tool: "read_file", input: { path: "shot.png" } }];
  await using model = await ModelServer.start({ replies: [{ calls }, { text: "A window." }] });
  await using opened = await Opened.start({
    config: model.config,
  });
  copyFileSync(file, path.join(opened.daemon.workspace, "shot.png"));
  const session = await opened.daemon.session();
  const page = await opened.session(session.id);
  await session.prompt("What is in shot.png?");
  const transcript = page.getByRole("region", { name: "Transcript" });
  await transcript.getByText("A window.").waitFor();
  await transcript.getByText(attachmentSizeText("image/png", picture.length), { exact: true }).waitFor();
  const shown = transcript.getByRole("button", { name: "Enlarge Image" });
  expect(await shown.locator("img").evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(1440);
  await shown.click();
  await page.getByRole("dialog", { name: "Image" }).getByRole("img", { name: "Image" }).waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("a file that no model can read is refused, with the accepted kinds", here, async () => {
  await using opened = await Opened.start();
  const session = await opened.daemon.session();
  const page = await opened.session(session.id);
  await hand(page, "paste", "shot.tiff", "image/tiff");
  await page.getByText("Models accept PNG, JPEG, WebP, GIF and PDF files.").waitFor();
  expect(await page.getByRole("list", { name: "Images for this prompt" }).count()).toBe(0);
});

test("images of a queued prompt return to the prompt with it", here, async () => {
  await using model = await ModelServer.start({ replies: [], fault: () => ({ hang: true }) });
  await using opened = await Opened.start({
    config: model.config,
  });
  const session = await opened.daemon.session();
  const page = await opened.session(session.id);
  await session.prompt("go");
  await page.getByRole("button", { name: "Stop the turn" }).waitFor();
  await hand(page, "paste");
  await page.getByRole("button", { name: "Enlarge shot.png" }).waitFor();
  await page.getByRole("textbox", { name: "Prompt" }).press("Enter");
  const queue = page.getByRole("group", { name: "Queued prompts" });
  await queue.getByText("1 image").waitFor();
  await queue.getByRole("button", { name: "Take this prompt back" }).click();
  await page.getByRole("list", { name: "Images for this prompt" }).getByRole("button", { name: "Enlarge shot.png" }).waitFor();
  expect(opened.browser.errors).toEqual([]);
});
