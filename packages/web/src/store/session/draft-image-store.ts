import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import { MAX_IMAGES } from "@baton/core/protocol/image-limits";
import type { Api } from "../../connection/connection-types.ts";
import { runDetached } from "@baton/core/client/run-detached";
import { readImage, uploadImage } from "../../connection/transfer-image.ts";
import type { DraftStorage } from "./drafts.ts";
import { observableValue, type SettableValue } from "../../connection/observable.ts";

/** An image of a draft. `image` is undefined until it is uploaded. */
type AttachedImage = { key: string; name: string; image?: AttachmentRef };

/** Images of drafts, by place. Uploaded images survive a reload of the tab. */
export type ImageStore = {
  of: (draftKey: string) => SettableValue<readonly AttachedImage[]>;
  /** Adds files to a draft. It reports files that it cannot add. */
  attach: (draftKey: string, files: readonly File[]) => void;
  /** Adds images that the daemon already has, such as those of a withdrawn prompt. */
  put: (draftKey: string, images: readonly AttachmentRef[]) => void;
  /** An object URL of an image. */
  loadUrl: (image: AttachmentRef) => Promise<string>;
};

/** The number of images in memory; older ones are loaded again when needed. */
const KEPT_URLS = 40;

export function openImageStore(api: Api, store: DraftStorage, tell: (problem: unknown) => void): ImageStore {
  const places = new Map<string, SettableValue<readonly AttachedImage[]>>();
  const urls = new Map<string, Promise<string>>();

  const of: ImageStore["of"] = (draftKey) => {
    const found = places.get(draftKey);
    if (found) return found;
    const key = `baton.pictures.${draftKey}`;
    const attached = observableValue<readonly AttachedImage[]>(attachedIn(store.getItem(key)));
    attached.watch(() => {
      const stored = attached.get().filter(({ image }) => image !== undefined);
      if (stored.length === 0) store.removeItem(key);
      else store.setItem(key, JSON.stringify(stored));
    });
    places.set(draftKey, attached);
    return attached;
  };

  const send = async (draftKey: string, key: string, file: File): Promise<void> => {
    const attached = of(draftKey);
    try {
      const image = await uploadImage(api, file);
      keepUrl(image, Promise.resolve(URL.createObjectURL(file)));
      attached.set(attached.get().map((each) => (each.key === key ? { ...each, image } : each)));
    } catch (problem) {
      attached.set(attached.get().filter((each) => each.key !== key));
      tell(problem);
    }
  };

  const keepUrl = ({ blob }: AttachmentRef, url: Promise<string>): void => {
    urls.set(blob, url);
    const [oldest] = urls;
    if (urls.size <= KEPT_URLS || !oldest) return;
    urls.delete(oldest[0]);
    runDetached(
      oldest[1].then((old) => URL.revokeObjectURL(old)),
      () => undefined, // it never was one
    );
  };

  return {
    of,
    attach(draftKey, files) {
      const attached = of(draftKey);
      const room = MAX_IMAGES - attached.get().length;
      if (files.length > room) tell(`A prompt can have ${MAX_IMAGES} images and PDFs; ${files.length - room} were left out.`);
      const added = files.slice(0, room).map((file) => ({ key: crypto.randomUUID(), file }));
      attached.set([...attached.get(), ...added.map(({ key, file }) => ({ key, name: file.name }))]);
      for (const { key, file } of added) runDetached(send(draftKey, key, file), tell);
    },
    put(draftKey, images) {
      const attached = of(draftKey);
      const added = images.map((image): AttachedImage => ({ key: crypto.randomUUID(), name: image.name ?? "", image }));
      attached.set([...attached.get(), ...added].slice(0, MAX_IMAGES));
    },
    loadUrl(image) {
      const known = urls.get(image.blob);
      if (known) return known;
      const url = readImage(api, image).then((blob) => URL.createObjectURL(blob));
      keepUrl(image, url);
      url.catch(() => urls.delete(image.blob));
      return url;
    },
  };
}

function attachedIn(stored: string | null): AttachedImage[] {
  try {
    return stored === null ? [] : (JSON.parse(stored) as AttachedImage[]); // written by this file
  } catch {
    return []; // not written by this file
  }
}
