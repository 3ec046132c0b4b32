import { useEffect, useState } from "react";
import { runDetached } from "@baton/core/client/run-detached";
import type { Token } from "./highlight.ts";

const LARGEST = 50_000;

/** A block of code; coloured when its language is known and it does not grow any more. */
export function HighlightedCode({ text, language, growing = false }: { text: string; language: string | undefined; growing?: boolean }) {
  const [tokens, setTokens] = useState<Token[]>();
  useEffect(() => {
    let wanted = true;
    setTokens(undefined);
    if (language !== undefined && !growing && text.length < LARGEST)
      runDetached(
        import("./highlight.ts").then(({ highlightTokens }) => wanted && setTokens(highlightTokens(text, language))),
        () => undefined, // without colours then
      );
    return () => void (wanted = false);
  }, [text, language, growing]);
  return (
    <pre tabIndex={0}>
      <code>
        {tokens?.map(({ text: part, kind }, i) => (kind === undefined ? part : <span key={i} className={`c-${kind}`} children={part} />)) ??
          text}
      </code>
    </pre>
  );
}
