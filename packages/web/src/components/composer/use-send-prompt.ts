import type { PromptDelivery } from "@baton/core/protocol/event";
import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import { normalizePrompt, parseSlash, unknownSlash } from "@baton/core/text/slash-command";
import { useState } from "react";
import { useApp, useConnected, useObservableValue } from "../../store/app-context.ts";
import type { ComposerCommand } from "./use-completions.tsx";

export type SentPrompt = { text: string; images: readonly AttachmentRef[] };

type Props = {
  draftKey: string;
  cwd: string | undefined;
  commands: readonly ComposerCommand[];
  onSend: (text: SentPrompt, delivery: PromptDelivery) => Promise<void>;
};

/** Sends the draft with its images, or runs a slash command. A draft that cannot be sent comes back. */
export function useSendPrompt({ draftKey, cwd, commands, onSend }: Props) {
  const { drafts, imageStore, link, notice, tell } = useApp();
  const draft = drafts.of(draftKey);
  const attached = imageStore.of(draftKey);
  const connected = useConnected();
  const nothing = useObservableValue(draft).trim() === "";
  const images = useObservableValue(attached);
  const isUploading = images.some(({ image }) => image === undefined);
  const [sending, setSending] = useState(false);
  /** Returns a problem if the text begins with an unknown slash command. The daemon knows the commands from files. */
  const mistyped = async (text: string): Promise<string | undefined> => {
    if (cwd === undefined || !parseSlash(text)) return undefined;
    const ofFiles = await link.api.workspace.commands.query({ cwd });
    return unknownSlash(
      text,
      [...commands, ...ofFiles].map(({ name }) => name),
    );
  };
  const send = (delivery: PromptDelivery) => {
    const text = normalizePrompt(draft.get());
    const attachedImages = attached.get();
    if ((text === "" && attachedImages.length === 0) || sending) return;
    const slash = parseSlash(text);
    const command = slash && commands.find(({ name }) => name === slash.name);
    if (command) {
      draft.set("");
      return command.run(slash.args);
    }
    if (!connected) return tell("Not connected. The prompt stays here; send it after the page has reconnected.", "connection");
    const uploaded = attachedImages.flatMap(({ image }) => image ?? []);
    if (uploaded.length < attachedImages.length) return tell("An image is still being uploaded. Send again in a moment.");
    setSending(true);
    notice.set(undefined); // the notice was about the draft
    draft.set("");
    attached.set([]);
    mistyped(text)
      .then((problem) => {
        if (problem !== undefined) throw new Error(problem);
        return onSend({ text, images: uploaded }, delivery);
      })
      .catch((error: unknown) => {
        if (draft.get() === "") draft.set(text);
        if (attached.get().length === 0) attached.set(attachedImages);
        tell(error);
      })
      .finally(() => setSending(false));
  };
  return { send, sending, isUploading, empty: nothing && images.length === 0 };
}
