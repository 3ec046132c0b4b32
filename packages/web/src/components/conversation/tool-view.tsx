import type { View } from "@baton/core/protocol/tool-view";
import { useState } from "react";
import { sanitize, escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { Diff } from "../diff/diff.tsx";
import { Icon } from "../icon.tsx";
import { truncateLines } from "../text/truncate-lines.ts";
import { Markdown } from "../text/markdown.tsx";
import { TerminalOutput } from "./terminal-output.tsx";
import { formatCount } from "@baton/core/text/format";

/** Draws a view. Every tool uses one of these views. */
export function ToolView({ view }: { view: View }) {
  switch (view.type) {
    case "diff":
      return <Diff view={view} />;
    case "terminal":
      return <TerminalOutput view={view} />;
    case "command":
      return <pre className="block">{escapeInvisible(view.command)}</pre>;
    case "text":
      return view.format === "markdown" ? (
        <div className="prose">
          <Markdown text={view.text} />
        </div>
      ) : (
        <PlainText text={view.text} />
      );
    case "files":
      return <Files files={view.files} />;
    case "link":
      return (
        <p className="note">
          {view.label === view.url ? undefined : `${oneLine(view.label)} `}
          <code>{escapeInvisible(view.url)}</code>
        </p>
      );
    case "list":
      return (
        <ul className="todos">
          {view.items.map(({ text, state = "open" }, i) => (
            <li key={i} className={state}>
              <Icon name={MARKS[state]} small className="dim" />
              <span>
                {oneLine(text)}
                <span className="vh"> ({state})</span>
              </span>
            </li>
          ))}
        </ul>
      );
  }
}

const MARKS = { open: "circle-small", doing: "circle-large-filled", done: "check" };

const MAX_LINES = 24;

/** Plain text; a long one is collapsed. */
export function PlainText({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const lines = truncateLines(sanitize(text).replace(/\n+$/, "")).split("\n");
  const visible = all || lines.length <= MAX_LINES + 2 ? lines : lines.slice(0, MAX_LINES);
  return (
    <div className="term">
      <pre>{visible.join("\n")}</pre>
      {visible === lines ? undefined : (
        <button className="fold" onClick={() => setAll(true)}>
          <Icon name="chevron-down" small />
          Show {formatCount(lines.length - visible.length, "more line")}
        </button>
      )}
    </div>
  );
}

type FileReferences = Extract<View, { type: "files" }>["files"];

function Files({ files }: { files: FileReferences }) {
  const [all, setAll] = useState(false);
  const visible = all || files.length <= MAX_LINES + 2 ? files : files.slice(0, MAX_LINES);
  return (
    <>
      <ul className="files">
        {visible.map(({ path, line, note }, i) => (
          <li key={i}>
            <span className="ref" title={sanitize(path)} data-path={path} data-line={line}>
              {oneLine(path)}
              {line === undefined ? "" : `:${line}`}
            </span>
            <span>{note === undefined ? "" : oneLine(note).slice(0, 400)}</span>
          </li>
        ))}
      </ul>
      {visible === files ? undefined : (
        <button className="btn quiet small" onClick={() => setAll(true)}>
          Show {files.length - visible.length} more
        </button>
      )}
    </>
  );
}

/** The exact action of a request. Nothing is shortened, and invisible characters are shown by their code. */
export function ExactText({ view, text }: { view: View | undefined; text: string }) {
  if (!view) return <div className="exact">{escapeInvisible(text)}</div>;
  switch (view.type) {
    case "command":
      return <div className="exact">{escapeInvisible(view.command)}</div>;
    case "diff":
      return <Diff view={view} whole />;
    case "text":
      return view.format === "markdown" ? (
        <div className="plan">
          <div className="prose">
            <Markdown text={view.text} approved />
          </div>
        </div>
      ) : (
        <div className="exact">{escapeInvisible(view.text)}</div>
      );
    case "link":
      return <div className="exact">{escapeInvisible(view.url)}</div>;
    case "files":
      return <div className="exact">{view.files.map(({ path }) => escapeInvisible(path)).join("\n")}</div>;
    case "list":
      return <div className="exact">{view.items.map((item) => escapeInvisible(item.text)).join("\n")}</div>;
    case "terminal":
      return <div className="exact">{escapeInvisible(view.head + view.tail)}</div>;
  }
}
