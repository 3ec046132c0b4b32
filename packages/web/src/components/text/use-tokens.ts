import { runDetached } from "@baton/core/client/run-detached";
import { useEffect, useState } from "react";
import type { HighlightToken } from "./highlight.ts";

const LARGEST = 50_000;

/** The tokens of a code. Undefined until they are known, and if the language is not known. */
export function useTokens(code: string, language: string | undefined): readonly HighlightToken[] | undefined {
  const [found, setFound] = useState<{ of: string; tokens: HighlightToken[] | undefined }>();
  useEffect(() => {
    let isCurrent = true;
    if (language !== undefined && code.length < LARGEST)
      runDetached(
        import("./highlight.ts").then(
          ({ highlightTokens }) => isCurrent && setFound({ of: code, tokens: highlightTokens(code, language) }),
        ),
        () => undefined, // without colours then
      );
    return () => void (isCurrent = false);
  }, [code, language]);
  return language !== undefined && found?.of === code ? found.tokens : undefined;
}

/** The language of a file, by its extension. The highlighter does not know every extension. */
export const highlightLanguageOf = (path: string): string | undefined => /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase();
