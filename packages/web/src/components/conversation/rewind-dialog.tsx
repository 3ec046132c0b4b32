import type { PromptEntry } from "@baton/core/session/transcript/entry";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { formatCount } from "@baton/core/text/format";
import type { Api } from "../../connection/connection-types.ts";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { useApp } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";
import { useSession, useSessionSnapshot } from "../../store/session/session-context.ts";
import { Dialog } from "../dialog.tsx";

type Plan = Awaited<ReturnType<Api["session"]["undoPlan"]["query"]>>;
type Files = Plan["files"];

/** Shows what a rewind would change before it runs: the conversation, the changed files, or both. */
export function RewindDialog({ entry, onClose }: { entry: PromptEntry; onClose: () => void }) {
  const { commands, drafts, imageStore, tell } = useApp();
  const { id } = useSession();
  const busy = useSessionSnapshot(({ state }) => state.turn !== undefined);
  const parts = useSessionSnapshot((snapshot) => snapshot.parts);
  const after = parts.flatMap(({ entries }) => entries).filter((each) => each.seq >= entry.seq);
  const plan = usePlan(entry);
  const files = plan?.files;
  const conflict = files?.some((file) => file.conflict) ?? false;
  const which = conflict && files?.some((file) => !file.conflict) ? "the other files" : "files";
  const back = () => {
    drafts.of(id).set(entry.text);
    imageStore.put(id, entry.images ?? []);
  };
  const rewind = () => commands.send(id, { type: "rewind", promptId: entry.id }).then(back);
  const none = files?.every((file) => file.conflict) ?? true;
  const undo = (conversation: boolean) =>
    commands
      .send(id, { type: "undo", promptId: entry.id, conversation, partial: conflict })
      .then(() => (conversation ? back() : undefined));
  const button = (label: string, disabled: boolean, action: () => Promise<void>, className = "btn") => (
    <button className={className} disabled={busy || files === undefined || disabled} onClick={() => void action().catch(tell)}>
      {label}
    </button>
  );
  return (
    <Dialog title="Rewind to before this prompt?" onClose={onClose}>
      <blockquote className="prompt">{oneLine(entry.text).slice(0, 300)}</blockquote>
      <p>
        {formatCount(after.filter(({ kind }) => kind === "prompt").length, "prompt")} and{" "}
        {formatCount(after.filter(({ kind }) => kind === "call").length, "call")} leave the conversation; the log keeps them. The prompt
        returns to the box.
      </p>
      {files === undefined || files.length === 0 ? undefined : <Changed files={files} conflict={conflict} />}
      {plan === undefined || plan.unseen.length === 0 ? undefined : <Unseen calls={plan.unseen} />}
      {busy ? <p>A turn is running. Stop it first, then rewind.</p> : undefined}
      <form method="dialog" className="row wrap">
        {files === undefined || files.length === 0 ? (
          button("Rewind", false, rewind, "btn solid")
        ) : (
          <>
            {button(`Rewind, and restore ${which}`, none, () => undo(true), "btn solid")}
            {button("Rewind the conversation only", false, rewind)}
            {button(`Restore ${which} only`, none, () => undo(false))}
          </>
        )}
        <button className="btn quiet">Cancel</button>
      </form>
    </Dialog>
  );
}

const SHOWN = 12;

function Changed({ files, conflict }: { files: Files; conflict: boolean }) {
  return (
    <>
      <p>Files that have changed since then:</p>
      <ul className="mono">
        {files.slice(0, SHOWN).map(({ path, to, conflict: theirs }) => (
          <li key={path} title={escapeInvisible(path)}>
            {to === null ? "remove" : "restore"} {oneLine(path)}
            {theirs ? " – changed outside of this session" : ""}
          </li>
        ))}
        {files.length > SHOWN ? <li>and {files.length - SHOWN} more</li> : undefined}
      </ul>
      {conflict ? (
        <p>Files that changed outside of this session stay as they are. To restore them too, move those changes away first.</p>
      ) : undefined}
    </>
  );
}

const Unseen = ({ calls }: { calls: Plan["unseen"] }) => (
  <>
    <p>Other effects of these commands remain:</p>
    <ul className="mono">
      {calls.slice(-SHOWN).map((call, i) => (
        <li key={i} title={escapeInvisible(call)}>
          {oneLine(call).slice(0, 200)}
        </li>
      ))}
    </ul>
  </>
);

const NOTHING = { files: [], unseen: [] };

/** The effects of an undo to before this prompt; undefined until they are known. */
function usePlan({ id: promptId }: PromptEntry): Pick<Plan, "files" | "unseen"> | undefined {
  const { link, tell } = useApp();
  const { id: sessionId } = useSession();
  const load = (signal: AbortSignal): Promise<Pick<Plan, "files" | "unseen">> =>
    link.api.session.undoPlan.query({ sessionId, promptId }, { signal }).catch((error: unknown) => {
      if (!signal.aborted && refusalOf(error)?.code !== "nothing_to_undo") tell(error);
      return NOTHING;
    });
  return useQuery(load, [sessionId, promptId]).data;
}
