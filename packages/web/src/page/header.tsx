import type { SessionState } from "@baton/core/session/state";
import { lazy, Suspense, useState } from "react";
import { useApp, useConnected, useObservableValue } from "../store/app-context.ts";
import { useTrust, type Trust } from "../store/folder-context.ts";
import { sanitize, oneLine } from "@baton/core/text/sanitize";
import { BackButton } from "../components/back-button.tsx";
import { DiffCounts } from "../components/conversation/diff.tsx";
import { Icon } from "../components/icon.tsx";
import { Menu, MenuItem } from "../components/menu.tsx";
import { ChangedFileList, type ChangedFile } from "../components/conversation/changed-files.tsx";
import { formatCount } from "@baton/core/text/format";
import { baseName } from "../components/text/format.ts";

/** Rarely used, so it is not part of the first load. */
const AllowedDialog = lazy(async () => ({ default: (await import("../components/details/permissions-dialog.tsx")).PermissionsDialog }));

type Props = { id: string; state: SessionState; changed: readonly ChangedFile[]; onHelp: () => void };

/** The title of the session and its menu. */
export function Header({ id, state, changed, onHelp }: Props) {
  const { lists } = useApp();
  const [renaming, setRenaming] = useState(false);
  const { trust, setTrusted } = useTrust(state.workspace, state.trust !== undefined);
  const waiting = useObservableValue(lists.inbox)?.length ?? 0;
  const sum = changed.reduce((all, { added, removed }) => ({ added: all.added + added, removed: all.removed + removed }), {
    added: 0,
    removed: 0,
  });
  return (
    <header className="bar">
      <BackButton />
      {renaming ? (
        <TitleField id={id} title={state.title} onDone={() => setRenaming(false)} />
      ) : (
        <h1 className="cut" dir="auto">
          {oneLine(state.title) || "New session"}
        </h1>
      )}
      <span className="dim cut wide-only" title={sanitize(state.workspace)}>
        {oneLine(baseName(state.workspace))}
        {state.archived ? " · archived" : ""}
        {trust === "restricted" ? " · not trusted" : ""}
      </span>
      <span className="r" />
      {waiting === 0 ? undefined : <span className="badge narrow-only">{waiting}</span>}
      {changed.length === 0 ? undefined : (
        <Menu
          kind="dialog"
          label={changedLabel(changed.length, sum)}
          className="btn quiet small wide-only only-norail"
          button={
            <>
              <Icon name="split-horizontal" small />
              {formatCount(changed.length, "file")} <DiffCounts view={sum} />
            </>
          }
        >
          {() => <ChangedFileList id={id} changed={changed} />}
        </Menu>
      )}
      <More id={id} state={state} trust={trust} onTrust={setTrusted} onRename={() => setRenaming(true)} onHelp={onHelp} />
    </header>
  );
}

/** The label of the changed files for screen readers. */
const changedLabel = (files: number, { added, removed }: { added: number; removed: number }): string =>
  [formatCount(files, "file"), added > 0 ? `+${added}` : "", removed > 0 ? `−${removed}` : "", "changed"].filter(Boolean).join(" ");

type MoreProps = {
  id: string;
  state: SessionState;
  trust: Trust | undefined;
  onTrust: (trusted: boolean) => Promise<void>;
  onRename: () => void;
  onHelp: () => void;
};

function More({ id, state, trust, onTrust, onRename, onHelp }: MoreProps) {
  const { commands, link, route, tell } = useApp();
  const connected = useConnected();
  const [showsPermissions, setAsked] = useState(false);
  const fork = async () => {
    const forked = await link.api.session.fork.mutate({ sessionId: id });
    route.go({ page: "session", id: forked.id });
  };
  const exported = async (kind: "md" | "jsonl") => {
    const { exportAs } = await import("./export.ts");
    await exportAs(kind, link.api, { id, title: state.title });
  };
  const menu = (
    <Menu label="More" className="btn quiet icon" button={<Icon name="ellipsis" />}>
      {(close) => {
        const item = (icon: string, text: string, action: () => void | Promise<void>, needs = true) => (
          <MenuItem
            disabled={needs && !connected}
            onPick={() => {
              close();
              void Promise.resolve(action()).catch(tell);
            }}
          >
            <Icon name={icon} />
            <span>{text}</span>
          </MenuItem>
        );
        return (
          <>
            {item("edit", "Rename", onRename)}
            {item("diff", "Review changes", () => route.go({ page: "review", id }))}
            {item("redo", "Redo the last undo", () => commands.send(id, { type: "redo" }))}
            {item("repo-forked", "Fork this session", fork)}
            {item("archive", state.archived ? "Restore from archive" : "Archive", () =>
              commands.send(id, { type: "archive", archived: !state.archived }),
            )}
            {trust === undefined
              ? undefined
              : trust === "trusted"
                ? item("lock", "Do not trust this folder", () => onTrust(false))
                : item("unlock", "Trust this folder", () => onTrust(true))}
            {item("checklist", "Permissions", () => setAsked(true))}
            {item("tools", "Tools of this session", () =>
              route.go({ page: "settings", part: "toolsets", cwd: state.workspace, session: id }),
            )}
            {item("markdown", "Export as Markdown", () => exported("md"))}
            {item("json", "Export events", () => exported("jsonl"))}
            {item("keyboard", "Keys", onHelp, false)}
          </>
        );
      }}
    </Menu>
  );
  return (
    <>
      {menu}
      <Suspense>{showsPermissions ? <AllowedDialog state={state} onClose={() => setAsked(false)} /> : undefined}</Suspense>
    </>
  );
}

function TitleField({ id, title, onDone }: { id: string; title: string; onDone: () => void }) {
  const { commands, tell } = useApp();
  const [text, setText] = useState(title);
  const keep = () => {
    const trimmed = text.trim().slice(0, 200);
    if (trimmed !== "" && trimmed !== title) void commands.send(id, { type: "rename", title: trimmed }).catch(tell);
    onDone();
  };
  return (
    <input
      className="field titlefield"
      aria-label="Title of the session"
      autoFocus
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={onDone}
      onKeyDown={(event) => {
        if (event.key === "Enter") keep();
        if (event.key === "Escape") onDone();
      }}
    />
  );
}
