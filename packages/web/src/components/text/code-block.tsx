import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { CopyButton } from "../copy-button.tsx";
import { Icon } from "../icon.tsx";
import { useTokens } from "./use-tokens.ts";

type Props = { text: string; language: string | undefined; growing?: boolean };

/** A code block with its language, highlighted if the language is known and the block is complete. */
export function CodeBlock({ text, language, growing = false }: Props) {
  const [wraps, setWraps] = useState(false);
  return (
    <div className="codeblock">
      <div className="codehead">
        <span className="cut">{oneLine(language ?? "")}</span>
        <span className="r row">
          <button
            type="button"
            className="btn quiet small icon"
            aria-label="Wrap lines"
            title="Wrap lines"
            aria-pressed={wraps}
            onClick={() => setWraps(!wraps)}
          >
            <Icon name="word-wrap" small />
          </button>
          <CopyButton text={text} what="code" />
        </span>
      </div>
      <pre tabIndex={0} className={wraps ? "wraps" : undefined}>
        <code>
          <Highlighted text={text} language={growing ? undefined : language} />
        </code>
      </pre>
    </div>
  );
}

function Highlighted({ text, language }: { text: string; language: string | undefined }) {
  const tokens = useTokens(text, language);
  return (
    tokens?.map(({ text: part, kind }, i) => (kind === undefined ? part : <span key={i} className={`c-${kind}`} children={part} />)) ?? text
  );
}
