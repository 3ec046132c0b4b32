import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import { isPdf } from "@baton/core/text/attachment-text";
import { useRef, useState, type ClipboardEvent, type DragEvent } from "react";
import { IMAGE_TYPES } from "../../connection/transfer-image.ts";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import { oneLine } from "@baton/core/text/sanitize";
import { Icon } from "../icon.tsx";
import { ImageView } from "../image-view.tsx";

/** The images and PDFs of the next prompt, each with a button to remove it. */
export function Attachments({ draftKey }: { draftKey: string }) {
  const { imageStore } = useApp();
  const attached = imageStore.of(draftKey);
  const images = useObservableValue(attached);
  if (images.length === 0) return undefined;
  return (
    <ul className="thumbs" aria-label="Images for this prompt">
      {images.map(({ key, name, image }, i) => {
        const label = oneLine(name) || imageLabel(image, i);
        return (
          <li key={key}>
            <ImageView image={image} label={label} />
            <button
              type="button"
              className="btn icon unattach"
              aria-label={`Remove ${label}`}
              title="Remove"
              onClick={() => attached.set(attached.get().filter((each) => each.key !== key))}
            >
              <Icon name="close" small />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const imageLabel = (image: AttachmentRef | undefined, i: number): string => (image && isPdf(image) ? `PDF ${i + 1}` : `Image ${i + 1}`);

/** Lets the user choose images from their files. */
export function AttachButton({ draftKey }: { draftKey: string }) {
  const { imageStore } = useApp();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="btn quiet icon"
        aria-label="Attach images and PDFs"
        title="Attach images and PDFs, or paste or drop them"
        onClick={() => input.current?.click()}
      >
        <Icon name="attach" small />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={IMAGE_TYPES.join(",")}
        onChange={(event) => {
          imageStore.attach(draftKey, [...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}

/** Attaches images that the user pastes or drops. `over` is true while files are dragged over the element. */
export function useDrop(draftKey: string) {
  const { imageStore } = useApp();
  const [over, setOver] = useState(false);
  const take = (data: DataTransfer | null, event: ClipboardEvent | DragEvent) => {
    const files = [...(data?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    imageStore.attach(draftKey, files);
  };
  return {
    over,
    onPaste: (event: ClipboardEvent) => take(event.clipboardData, event),
    onDrop: (event: DragEvent) => {
      setOver(false);
      take(event.dataTransfer, event);
    },
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
  };
}
