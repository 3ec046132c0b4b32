import type { CallEntry } from "@baton/core/session/transcript";
import type { Api } from "../../connection/daemon-connection.ts";
import { readBlob } from "@baton/core/client/blobs";

/** More than this is nothing for a screen; the rest is said to be there. */
const MAX_CHARACTERS = 2_000_000;

/** A call with the whole of its output where only both ends are kept in the transcript; as it is where that is gone. */
export async function withFullOutput(api: Api, entry: CallEntry): Promise<CallEntry> {
  const view = entry.result?.view;
  if (!entry.result || view?.type !== "terminal" || view.blob === undefined) return entry;
  const bytes = Buffer.concat(await readBlob(api, view.blob, MAX_CHARACTERS));
  const text = bytes.toString("utf8");
  const cut = bytes.length >= MAX_CHARACTERS ? "\n… the rest is too long for a screen" : "";
  return { ...entry, result: { ...entry.result, view: { ...view, head: text + cut, tail: "", omittedLines: 0 } } };
}
