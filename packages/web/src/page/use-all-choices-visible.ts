import { useEffect, useState, type RefObject } from "react";
import type { OpenRequests } from "./open-requests.ts";
import { areChoicesInView } from "./scroll-anchor.ts";

/** Whether the choices of all open requests are in view. */
export function useAllChoicesVisible(open: readonly OpenRequests[], scroller: RefObject<HTMLElement | null>): boolean {
  const [all, setAll] = useState(true);
  const ids = open.map(({ request }) => request.id).join(" ");
  useEffect(() => {
    const box = scroller.current;
    if (!box || ids === "") return undefined;
    const look = () => setAll(ids.split(" ").every((id) => areChoicesInView(box, id)));
    look();
    const sizes = new ResizeObserver(look);
    for (const child of box.children) sizes.observe(child);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [ids, scroller]);
  return all;
}
