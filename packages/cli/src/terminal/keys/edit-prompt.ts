import type { KeyAction } from "@baton/core/terminal/key-actions";
import type { TerminalClient } from "../client.ts";
import type { Key } from "../input/key-decoder.ts";
import { mentionPastedFiles } from "../input/pasted-files.ts";
import { refreshCompletion } from "../input/refresh-completion.ts";
import { keepOnCharacter } from "../vim/undo.ts";

/** Applies a key that edits the prompt. Pasted paths of images become mentions. In normal mode the cursor stays on a character. */
export function editPrompt(client: TerminalClient, key: Key, action: KeyAction | undefined): void {
  const { line, workspace } = client;
  const mentioned = key.name === "paste" && !line.field ? mentionPastedFiles(key.text ?? "", workspace) : undefined;
  if (!line.edit(mentioned === undefined ? key : { ...key, text: mentioned }, action)) return;
  if (line.vim?.mode === "normal") line.editWithVim(keepOnCharacter);
  refreshCompletion(client);
}
