import type { TerminalClient } from "../client.ts";
import { mention } from "../input/pasted-files.ts";
import { readClipboardImage } from "./clipboard-image.ts";

/** Puts a mention of the clipboard's image into the prompt. */
export async function pasteImage(client: TerminalClient): Promise<void> {
  const result = await readClipboardImage();
  if ("problem" in result) client.showHint(result.problem);
  else client.line.edit({ name: "paste", text: `${mention(client.pastedImages.add(result.image))} ` }, undefined);
  client.draw();
}
