import type { CallEntry } from "@baton/core/session/transcript/entry";
import type { Api } from "../../connection/daemon-connection.ts";
import { readBlob } from "@baton/core/client/blob-transfer";

/** Longer output is cut, with a note. */
const MAX_CHARACTERS = 2_000_000;

/**
 * Returns a call with its whole output. The transcript keeps only both ends of it. If the daemon no longer has the output,
 * the call stays as it is.
 */
export async function fetchFullOutput(api: Api, entry: CallEntry): Promise<CallEntry> {
  const view = entry.result?.view;
  if (!entry.result || view?.type !== "terminal" || view.blob === undefined) return entry;
  const bytes = Buffer.concat(await readBlob(api, view.blob, MAX_CHARACTERS));
  const text = bytes.toString("utf8");
  const cut = bytes.length >= MAX_CHARACTERS ? "\n… the rest is too long to show" : "";
  return { ...entry, result: { ...entry.result, view: { ...view, head: text + cut, tail: "", omittedLines: 0 } } };
}
