import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { PromptEntry } from "@baton/core/session/transcript/entry";
import type { Hunk } from "@baton/core/protocol/tool-view";
import { formatCount } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { useMemo, useRef, useState } from "react";
import { useApp, useConnected } from "../store/app-context.ts";
import type { Place } from "../store/data/place-folders.ts";
import { usePlace } from "../store/data/use-place.ts";
import { routeHref, type PlaceDiffBase } from "../store/route.ts";
import { otherEditors } from "../store/data/edited-files.ts";
import { useSessionSnapshot } from "../store/session/session-context.ts";
import { useEditedFiles } from "../store/data/use-edited-files.ts";
import { Banner, NoticeBanner } from "../components/banner.tsx";
import { DiffCounts, useWide } from "../components/diff/diff.tsx";
import { Icon } from "../components/icon.tsx";
import { moveWithArrows } from "../components/sidebar/arrow-keys.ts";
import { FileSection } from "./file-section.tsx";
import { commentsPrompt, withComment } from "./line-comments.ts";
import { patchText } from "./patch-text.ts";
import { useChanges, useComments, useSeenFiles, type SessionChange } from "./use-review.ts";
import "./review.css";

type Props = { id: string; promptId: string | undefined; since: PlaceDiffBase | undefined };

/** All changes of a session, of one turn or of a place: the files, their lines, and comments that go to the agent as one prompt. */
export function Review({ id, promptId, since }: Props) {
  const { commands, route, tell } = useApp();
  const connected = useConnected();
  const place = usePlace(useSessionSnapshot(({ state }) => state.workspace));
  const { changes, refetch } = useChanges(id, promptId, place && since && { place: place.id, since });
  const edited = useEditedFiles();
  const { comments, setComments } = useComments(id);
  const { isSeen, setSeen } = useSeenFiles(id);
  const [sideBySide, setSideBySide] = useState(true);
  const scroller = useRef<HTMLDivElement>(null);
  const wide = useWide(scroller);
  const title = useSessionSnapshot(({ state }) => state.title);
  const busy = useSessionSnapshot(({ state }) => state.turn !== undefined || state.undo !== undefined);
  const total = sum(changes ?? []);
  const copyPatch = () =>
    navigator.clipboard
      .writeText(patchText((changes ?? []).flatMap(({ view }) => view ?? [])))
      .then(() => tell("The patch is in the clipboard."), tell);
  const restore = ({ path }: SessionChange) =>
    commands
      .send(id, { type: "undo", conversation: false, paths: [path], ...omitUndefined({ promptId }) })
      .then(refetch)
      .catch(tell);
  const [restoredHunks, setRestoredHunks] = useState(0);
  const restoreHunk = ({ path, before, after }: SessionChange, { oldStart, newStart }: Hunk) => {
    if (before === null || after === null) return;
    commands
      .send(id, { type: "restoreHunk", path, before, after, oldStart, newStart })
      .then(() => setRestoredHunks((count) => count + 1))
      .catch(tell);
  };
  const bringBack = () =>
    commands
      .send(id, { type: "redo" })
      .then(() => setRestoredHunks((count) => count - 1))
      .catch(tell);
  const send = () =>
    commands
      .prompt(id, { text: commentsPrompt(comments) }, "queue")
      .then(() => {
        setComments([]);
        route.go({ page: "session", id });
      })
      .catch(tell);
  return (
    <main className="main review">
      <header className="bar">
        <a
          className="btn quiet icon"
          href={routeHref({ page: "session", id })}
          aria-label="Back to the conversation"
          title="Back to the conversation"
        >
          <Icon name="arrow-left" />
        </a>
        <h1 className="cut" dir="auto">
          Changes<span className="dim plain wide-only"> · {oneLine(title)}</span>
        </h1>
        <ScopeMenu id={id} promptId={promptId} since={since} place={place} />
        <span className="r row">
          {wide ? (
            <button
              type="button"
              className="btn quiet small icon"
              aria-label="Side by side"
              title="Side by side"
              aria-pressed={sideBySide}
              onClick={() => setSideBySide(!sideBySide)}
            >
              <Icon name="split-horizontal" small />
            </button>
          ) : undefined}
          {restoredHunks === 0 ? undefined : (
            <button type="button" className="btn small" disabled={!connected || busy} onClick={() => void bringBack()}>
              <Icon name="redo" small />
              Undo the restore
            </button>
          )}
          <button type="button" className="btn quiet small" disabled={total.files === 0} onClick={() => void copyPatch()}>
            <Icon name="copy" small />
            <span className="wide-only">Copy as patch</span>
            <span className="vh narrow-only">Copy as patch</span>
          </button>
          {comments.length === 0 ? undefined : (
            <button type="button" className="btn solid small" disabled={!connected} onClick={() => void send()}>
              Send {formatCount(comments.length, "comment")}
            </button>
          )}
        </span>
      </header>
      <Banner />
      <div className="reviewbody">
        <nav className="filelist" aria-label="Changed files" onKeyDown={moveWithArrows}>
          <p className="dim">
            {formatCount(total.files, "file")} <DiffCounts view={total} />
          </p>
          {changes?.map((change, i) => (
            <button
              key={change.path}
              type="button"
              className="item"
              tabIndex={i === 0 ? 0 : -1}
              onClick={() => showFile(scroller.current, change.path)}
            >
              <Icon name={isSeen(change) ? "check" : ICONS[kindOf(change)]} small />
              <span className={isSeen(change) ? "cut dim" : "cut"} title={change.path}>
                <bdi>{oneLine(change.path)}</bdi>
                {isSeen(change) ? <span className="vh"> (seen)</span> : undefined}
              </span>
              <span className="end nowrap">{change.view ? <DiffCounts view={change.view} /> : undefined}</span>
            </button>
          ))}
        </nav>
        <div ref={scroller} className="scroll" tabIndex={0} role="region" aria-label="Changes">
          <NoticeBanner />
          {changes?.length === 0 ? (
            <p className="dim nochanges">No changes: nothing was changed, or everything was restored.</p>
          ) : undefined}
          {changes === undefined ? (
            <p className="dim nochanges" role="status">
              Loading the changes …
            </p>
          ) : undefined}
          {changes?.map((change) => (
            <FileSection
              key={change.path}
              change={change}
              others={otherEditors(edited, id, change.path)}
              split={wide && sideBySide}
              seen={isSeen(change)}
              canRestore={connected && !busy}
              comments={comments}
              scroller={scroller}
              onSeen={(seen) => setSeen(change, seen)}
              onRestore={since === undefined ? () => void restore(change) : undefined}
              onRestoreHunk={since === undefined ? (hunk) => restoreHunk(change, hunk) : undefined}
              onComment={(comment) => setComments(withComment(comments, comment))}
            />
          ))}
        </div>
      </div>
    </main>
  );
}

const kindOf = ({ before, after }: SessionChange): "create" | "change" | "delete" =>
  before === null ? "create" : after === null ? "delete" : "change";
const ICONS = { create: "diff-added", change: "diff-modified", delete: "diff-removed" };

const sum = (changes: readonly SessionChange[]) =>
  changes.reduce(
    (all, { view }) => ({ files: all.files + 1, added: all.added + (view?.added ?? 0), removed: all.removed + (view?.removed ?? 0) }),
    {
      files: 0,
      added: 0,
      removed: 0,
    },
  );

function showFile(scroller: HTMLElement | null, path: string): void {
  scroller?.querySelector(`[data-file="${CSS.escape(path)}"]`)?.scrollIntoView({ block: "start" });
}

/** Chooses between the whole session, one of its turns, and its place. */
function ScopeMenu({ id, promptId, since, place }: Props & { place: Place | undefined }) {
  const { route } = useApp();
  const parts = useSessionSnapshot((snapshot) => snapshot.parts);
  const prompts = useMemo(
    () =>
      parts.flatMap(({ entries }) =>
        entries.filter((entry): entry is PromptEntry => entry.kind === "prompt" && entry.synthetic === undefined),
      ),
    [parts],
  );
  return (
    <select
      className="field"
      aria-label="Changes of"
      value={since === undefined ? (promptId ?? "") : `since ${since}`}
      onChange={({ target: { value } }) => route.go({ page: "review", id, ...scopeOf(value) })}
    >
      <option value="">Whole session</option>
      {place === undefined ? undefined : (
        <>
          <option value="since base">Place: since {oneLine(place.base).slice(0, 60)}</option>
          <option value="since commit">Place: not committed</option>
        </>
      )}
      {prompts.toReversed().map((prompt) => (
        <option key={prompt.id} value={prompt.id}>
          {oneLine(prompt.text).slice(0, 60)}
        </option>
      ))}
    </select>
  );
}

function scopeOf(value: string): { turn?: string; since?: PlaceDiffBase } {
  if (value === "since base") return { since: "base" };
  if (value === "since commit") return { since: "commit" };
  return value === "" ? {} : { turn: value };
}
