import temml from "temml";
import { useLayoutEffect, useRef } from "react";

const MAX_LENGTH = 5_000;

/** A formula as MathML. A formula that is not valid is shown as it is written. */
export function Formula({ text, display }: { text: string; display: boolean }) {
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!box.current) return;
    if (text.length > MAX_LENGTH) box.current.textContent = text;
    else temml.render(text, box.current, { displayMode: display, throwOnError: false, trust: false });
  }, [text, display]);
  return <span ref={box} className={display ? "formula display" : "formula"} tabIndex={display ? 0 : undefined} />;
}
