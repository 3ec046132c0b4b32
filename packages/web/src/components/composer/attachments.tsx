import type { KeptImage } from "@baton/core/protocol/image";
import { isPdf } from "@baton/core/text/status-text";
import { useRef, useState, type ClipboardEvent, type DragEvent } from "react";
import { IMAGE_TYPES } from "../../connection/images.ts";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import { oneLine } from "@baton/core/text/sanitize";
import { Icon } from "../icon.tsx";
import { ImageView } from "../image-view.tsx";

/** The images and PDFs of the next prompt, each with a button to remove it. */
export function Attachments({ place }: { place: string }) {
  const { pictures } = useApp();
  const attached = pictures.of(place);
  const shown = useObservableValue(attached);
  if (shown.length === 0) return undefined;
  return (
    <ul className="thumbs" aria-label="Images for this prompt">
      {shown.map(({ key, name, image }, i) => {
        const label = oneLine(name) || labelOf(image, i);
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

const labelOf = (image: KeptImage | undefined, i: number): string => (image && isPdf(image) ? `PDF ${i + 1}` : `Picture ${i + 1}`);

/** Lets the user choose images from their files. */
export function AttachButton({ place }: { place: string }) {
  const { pictures } = useApp();
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
          pictures.attach(place, [...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}

/** Attaches images that the user pastes or drops. `over` is true while files are dragged over the element. */
export function useDrop(place: string) {
  const { pictures } = useApp();
  const [over, setOver] = useState(false);
  const take = (data: DataTransfer | null, event: ClipboardEvent | DragEvent) => {
    const files = [...(data?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    pictures.attach(place, files);
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
