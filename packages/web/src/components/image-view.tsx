import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import { isPdf } from "@baton/core/text/attachment-text";
import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp } from "../store/app-context.ts";
import { useQuery } from "../store/data/use-query.ts";
import { Dialog } from "./dialog.tsx";
import { Icon, WorkingIcon } from "./icon.tsx";

/** A small image; a click enlarges it. `image` is undefined while it is being uploaded. */
export function ImageView({ image, label }: { image: AttachmentRef | undefined; label: string }) {
  if (image && isPdf(image))
    return (
      <span className="thumb empty">
        <Icon name="file-pdf" />
        {label}
      </span>
    );
  return <LoadedImage image={image} label={label} />;
}

function LoadedImage({ image, label }: { image: AttachmentRef | undefined; label: string }) {
  const { imageStore } = useApp();
  const [large, setLarge] = useState(false);
  const [gone, setGone] = useState(false);
  const load = image && (() => imageStore.loadUrl(image));
  const { data: url } = useQuery(load, [imageStore, image], { onError: () => setGone(true) });
  if (gone) return <span className="thumb empty">{label}: no longer available</span>;
  if (url === undefined)
    return (
      <span className="thumb empty">
        <WorkingIcon />
        <span className="vh">{label} is loading</span>
      </span>
    );
  return (
    <>
      <button type="button" className="thumb" aria-label={`Enlarge ${label}`} onClick={() => setLarge(true)}>
        <img src={url} alt="" />
      </button>
      {large ? (
        <Dialog title={label} wide onClose={() => setLarge(false)}>
          <img className="large" src={url} alt={label} />
          <form method="dialog">
            <button className="btn">Close</button>
          </form>
        </Dialog>
      ) : undefined}
    </>
  );
}

/** The images and PDFs of a prompt or of a result. */
export const ImageList = ({ images }: { images: readonly AttachmentRef[] }) => (
  <div className="thumbs">
    {images.map((image, i) => (
      <ImageView key={i} image={image} label={imageLabel(image, i, images.length)} />
    ))}
  </div>
);

function imageLabel({ mediaType, name }: AttachmentRef, i: number, of: number): string {
  const what = isPdf({ mediaType }) ? oneLine(name ?? "") || "PDF" : "Image";
  return of === 1 || what === name ? what : `${what} ${i + 1} of ${of}`;
}
