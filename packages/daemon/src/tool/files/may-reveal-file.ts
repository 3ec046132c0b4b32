import { failed, type Outcome, type PreviewContext } from "../tool-types.ts";
import { explainPathError } from "./explain-path-error.ts";

/** Whether the agent may know what stands in these files: a fault quotes it. Of others it hears nothing before a person was asked. */
export const mayRevealFiles = (paths: readonly string[], { ports }: PreviewContext): boolean =>
  paths.every((path) => ports.files.mayRead(path));

/** What comes of a call for a file that is not there, if the agent may know that. */
export function missingFileOutcome(path: string, context: PreviewContext): Outcome | undefined {
  if (!mayRevealFiles([path], context)) return undefined;
  const found = context.ports.files.stat(path);
  return "fault" in found && found.fault === "missing" ? failed(explainPathError(found, path)) : undefined;
}
