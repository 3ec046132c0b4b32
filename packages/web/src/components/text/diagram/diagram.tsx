import { oneLine } from "@baton/core/text/sanitize";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { runDetached } from "@baton/core/client/run-detached";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useApp } from "../../../store/app-context.ts";
import { CopyButton } from "../../copy-button.tsx";
import { Icon } from "../../icon.tsx";
import { drawDiagram } from "./draw-diagram.ts";

type Drawn = { of: string; url: string } | { of: string; problem: string };

/** A Mermaid diagram as an image, in which no script runs. Its source is shown on demand, and if it cannot be drawn. */
export function Diagram({ text }: { text: string }) {
  const { link } = useApp();
  const dark = useDark();
  const [drawn, setDrawn] = useState<Drawn>();
  const [showsSource, setShowsSource] = useState(false);
  const key = `${dark ? "dark" : "light"} ${text}`;
  useEffect(() => {
    let url: string | undefined;
    let isCurrent = true;
    const draw = async () => {
      const svg = await drawDiagram({ source: text, dark }, link.connect !== undefined);
      if (isCurrent) setDrawn({ of: key, url: (url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))) });
    };
    runDetached(draw(), (error) => isCurrent && setDrawn({ of: key, problem: errorMessage(error) }));
    return () => {
      isCurrent = false;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [link, text, dark, key]);
  const now = drawn?.of === key ? drawn : undefined;
  const url = now && "url" in now ? now.url : undefined;
  return (
    <div className="codeblock">
      <div className="codehead">
        <span className="cut">mermaid</span>
        <span className="r row">
          <button
            type="button"
            className="btn quiet small icon"
            aria-label="Show the source"
            title="Show the source"
            aria-pressed={showsSource || url === undefined}
            disabled={url === undefined}
            onClick={() => setShowsSource(!showsSource)}
          >
            <Icon name="code" small />
          </button>
          <CopyButton text={text} what="source" />
        </span>
      </div>
      {now && "problem" in now ? (
        <p className="diagramproblem">The diagram cannot be drawn: {oneLine(now.problem).slice(0, 300)}</p>
      ) : undefined}
      {url === undefined || showsSource ? (
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      ) : (
        <div className="wrapx" tabIndex={0}>
          <img className="diagram" src={url} alt={`Diagram: ${oneLine(text).slice(0, 200)}`} />
        </div>
      )}
    </div>
  );
}

/** Whether the page is dark: by the choice of the user, the editor or the system. */
const useDark = (): boolean => useSyncExternalStore(watch, isDark);

function isDark(): boolean {
  const scheme = getComputedStyle(document.body).colorScheme;
  return scheme === "dark" || (scheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches);
}

function watch(notify: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const themes = new MutationObserver(notify);
  system.addEventListener("change", notify);
  for (const element of [document.documentElement, document.body])
    themes.observe(element, { attributes: true, attributeFilter: ["class", "data-theme"] });
  return () => {
    system.removeEventListener("change", notify);
    themes.disconnect();
  };
}
