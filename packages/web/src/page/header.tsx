import type { BackgroundCommand } from "@baton/core/session/background-command";
import type { SessionState } from "@baton/core/session/state";
import { userSelectable } from "@baton/core/mode/user-selectable";
import { Suspense, useEffect, useRef, useState } from "react";
import { useApp, useConnected, useObservableValue } from "../store/app-context.ts";
import type { PaletteAction } from "../store/palette-actions.ts";
import type { Place } from "../store/data/place-folders.ts";
import { usePlace } from "../store/data/use-place.ts";
import { useEnvironment, useModes, useTrust, type Trust } from "../store/folder-context.ts";
import { sanitize, oneLine } from "@baton/core/text/sanitize";
import { BackButton } from "../components/back-button.tsx";
import { DiffCounts } from "../components/diff/diff.tsx";
import { Icon } from "../components/icon.tsx";
import { BackgroundCommands } from "../components/details/background-commands.tsx";
import { Menu, MenuItem } from "../components/menu.tsx";
import { ChangedFileList, type ChangedFile } from "../components/conversation/changed-files.tsx";
import { formatCount } from "@baton/core/text/format";
import { baseName } from "../components/text/strings.ts";
import { placeActions } from "../places/place-actions.ts";
import type { PlaceDialogKind } from "../places/place-dialog-kind.ts";
import { PlaceMenu } from "../places/place-menu.tsx";
import { usePlaceDialog } from "../places/use-place-dialog.ts";
import { lazyComponent } from "../components/lazy-component.tsx";
import { loadChunk } from "../components/load-chunk.ts";

/** Rarely used, so they are not part of the first load. */
const PlaceDialog = lazyComponent(async () => (await import("../places/place-dialogs.tsx")).PlaceDialog);
const AllowedDialog = lazyComponent(async () => (await import("../components/details/permissions-dialog.tsx")).PermissionsDialog);

type Props = {
  id: string;
  state: SessionState;
  changed: readonly ChangedFile[];
  background: readonly BackgroundCommand[];
  onHelp: () => void;
};

/** The title of the session and its menu. It also has the facts of the details panel that need the user, where there is no panel. */
export function Header({ id, state, changed, background, onHelp }: Props) {
  const { lists } = useApp();
  const [renaming, setRenaming] = useState(false);
  const { trust, setTrusted } = useTrust(state.workspace, state.trust !== undefined);
  const waiting = useObservableValue(lists.inbox)?.length ?? 0;
  const environment = useEnvironment(state.workspace, state.turns + state.servers.length);
  const place = usePlace(state.workspace);
  const { dialog, setDialog } = usePlaceDialog(id, state, place);
  const running = background.filter(({ status }) => status === "running").length;
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
        {place ? "" : oneLine(baseName(state.workspace))}
        {environment.length > 0 ? ` · ${environment.join(", ")}` : ""}
        {state.archived ? " · archived" : ""}
        {trust === "restricted" ? " · not trusted" : ""}
      </span>
      {place ? <PlaceMenu place={place} sessionId={id} onDialog={setDialog} /> : undefined}
      <span className="r" />
      {waiting === 0 ? undefined : <span className="badge narrow-only">{waiting}</span>}
      {background.length === 0 ? undefined : (
        <Menu
          kind="dialog"
          label={`Background commands, ${running} running`}
          title="Background commands"
          className={`btn quiet small only-norail${running === 0 ? " wide-only" : ""}`}
          button={
            <>
              <Icon name="server-process" small />
              {running} <span className="wide-only">running</span>
            </>
          }
        >
          {() => <BackgroundCommands rows={background} />}
        </Menu>
      )}
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
      <More
        id={id}
        state={state}
        trust={trust}
        onTrust={setTrusted}
        onRename={() => setRenaming(true)}
        onHelp={onHelp}
        place={place}
        onPlaceDialog={setDialog}
      />
      <Suspense>{place && dialog ? <PlaceDialog kind={dialog} place={place} onClose={() => setDialog(undefined)} /> : undefined}</Suspense>
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
  place: Place | undefined;
  onPlaceDialog: (dialog: PlaceDialogKind) => void;
};

/** The menu of the session. The command palette has the same actions, and some more. */
function More({ id, state, trust, onTrust, onRename, onHelp, place, onPlaceDialog }: MoreProps) {
  const { sessionActions, commands, link, route, tell } = useApp();
  const connected = useConnected();
  const modes = useModes().filter(userSelectable);
  const [showsPermissions, setAsked] = useState(false);
  const fork = async () => {
    const forked = await link.api.session.fork.mutate({ sessionId: id });
    route.go({ page: "session", id: forked.id });
    tell("This is a fork: a new session with the same conversation.");
  };
  const exported = async (kind: "md" | "html" | "jsonl") => {
    const { exportAs } = await loadChunk(() => import("./export.ts"));
    const { title, workspace, createdAt } = state;
    const note = await exportAs(kind, link.api, { id, title, workspace, createdAt });
    if (note !== undefined) tell(note);
  };
  const archive = async () => {
    await commands.send(id, { type: "archive", archived: !state.archived });
    if (!state.archived) tell("Archived. The list at the end of the sessions has it.");
  };
  const actions: readonly PaletteAction[] = [
    { icon: "edit", label: "Rename", run: onRename },
    { icon: "diff", label: "Review changes", run: () => route.go({ page: "review", id }) },
    { icon: "redo", label: "Redo the last undo", run: () => commands.send(id, { type: "redo" }) },
    { icon: "repo-forked", label: "Fork", run: fork },
    { icon: "archive", label: state.archived ? "Restore from archive" : "Archive", run: archive },
    ...(trust === undefined
      ? []
      : trust === "trusted"
        ? [{ icon: "lock", label: "Stop trusting this folder", run: () => onTrust(false) }]
        : [{ icon: "unlock", label: "Trust this folder", run: () => onTrust(true) }]),
    { icon: "checklist", label: "Permissions", run: () => setAsked(true) },
    {
      icon: "tools",
      label: "Tools of this session",
      run: () => route.go({ page: "settings", part: "toolsets", cwd: state.workspace, session: id }),
    },
    { icon: "markdown", label: "Export as Markdown", run: () => exported("md") },
    { icon: "globe", label: "Export as HTML", run: () => exported("html") },
    { icon: "json", label: "Export events", run: () => exported("jsonl") },
  ];
  const help: PaletteAction = { icon: "keyboard", label: "Keyboard shortcuts", run: onHelp };
  const others: readonly PaletteAction[] = [
    ...(state.turn ? [{ icon: "debug-stop", label: "Stop the turn", run: () => commands.send(id, { type: "interrupt" }) }] : []),
    ...(place
      ? placeActions({
          place,
          api: link.api,
          onDialog: onPlaceDialog,
          review: () => route.go({ page: "review", id, since: "base" }),
          tell,
        }).map((action) => ({ ...action, hint: `place ${place.name}` }))
      : []),
    { icon: "fold", label: "Compact the conversation", run: () => commands.send(id, { type: "compact" }) },
    { icon: "add", label: "New session in this folder", run: () => route.go({ page: "new", cwd: state.workspace }) },
    ...modes
      .filter(({ slug }) => slug !== state.mode)
      .map(({ slug, icon }) => ({
        icon,
        label: `Switch to ${slug}`,
        hint: "mode",
        run: () => commands.send(id, { type: "switchMode", mode: slug }),
      })),
  ];
  const latest = useRef<readonly PaletteAction[]>([]);
  latest.current = connected ? [...actions, ...others, help] : [help];
  const labels = latest.current.map(({ label }) => label).join("\n");
  useEffect(() => sessionActions.set(() => latest.current), [sessionActions, labels]); // an open palette shows the new ones
  useEffect(() => () => sessionActions.set(undefined), [sessionActions]);
  return (
    <>
      <Menu label="More" className="btn quiet icon" button={<Icon name="ellipsis" />}>
        {(close) =>
          [...actions, help].map((action) => (
            <MenuItem
              key={action.label}
              disabled={action !== help && !connected}
              onPick={() => {
                close();
                void Promise.resolve(action.run()).catch(tell);
              }}
            >
              <Icon name={action.icon} />
              <span>{action.label}</span>
            </MenuItem>
          ))
        }
      </Menu>
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
