import type { PromptImage } from "@baton/core/protocol/image";
import { useEffect, useState } from "react";
import { useApp } from "../store/app.ts";
import { Dialog } from "./dialog.tsx";
import { Ring } from "./icon.tsx";

/** A picture of a prompt, small; a click shows it large. `image` is missing while it is on its way to the daemon. */
export function Picture({ image, label }: { image: PromptImage | undefined; label: string }) {
  const { pictures } = useApp();
  const [url, setUrl] = useState<string>();
  const [large, setLarge] = useState(false);
  const [gone, setGone] = useState(false);
  useEffect(() => {
    let wanted = true;
    if (image)
      pictures.urlOf(image).then(
        (found) => wanted && setUrl(found),
        () => wanted && setGone(true),
      );
    return () => void (wanted = false);
  }, [pictures, image]);
  if (gone) return <span className="thumb empty">{label}: not kept any more</span>;
  if (url === undefined)
    return (
      <span className="thumb empty">
        <Ring />
        <span className="vh">{label} is on its way</span>
      </span>
    );
  return (
    <>
      <button type="button" className="thumb" aria-label={`${label}, show it large`} onClick={() => setLarge(true)}>
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

/** The pictures that went with a prompt. */
export const PicturesOf = ({ images }: { images: readonly PromptImage[] }) => (
  <div className="thumbs">
    {images.map((image, i) => (
      <Picture key={i} image={image} label={images.length === 1 ? "Picture" : `Picture ${i + 1} of ${images.length}`} />
    ))}
  </div>
);
