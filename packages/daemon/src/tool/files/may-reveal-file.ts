import { failed, type ToolExecutionResult, type PreviewContext } from "../tool-types.ts";
import type { SystemFault } from "../../system/system-fault.ts";
import { closestMatch } from "@baton/core/text/closest-match";

/** True if the agent may read these files without asking. Errors quote files, so the agent must not see them otherwise. */
export const mayRevealAllFiles = (paths: readonly string[], { ports }: PreviewContext): boolean =>
  paths.every((path) => ports.files.mayRead(path));

/** The result of a call for a missing file, if the agent may know that it is missing. */
export function missingFileOutcome(path: string, context: PreviewContext): ToolExecutionResult | undefined {
  if (!mayRevealAllFiles([path], context)) return undefined;
  const found = context.ports.files.stat(path);
  return "fault" in found && (found.fault === "missing" || found.fault === "not_a_folder")
    ? failed(explainPathError(found, path))
    : undefined;
}

/** The message for a model about a path that cannot be used: the problem, and what to do instead. */
export function explainPathError({ fault, message, siblings }: SystemFault, path: string): string {
  if (fault === "not_a_file" && message.endsWith("is a folder.")) return `${message} Use list_files to list its content.`;
  if (fault === "binary") return `${message} Use run_command to look at it with a program.`;
  if (fault !== "missing") return message;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const meant = siblings && closestMatch(name, siblings);
  return meant
    ? `${message} Did you mean ${path.slice(0, path.length - name.length)}${meant}?`
    : `${message} Use list_files or glob to find it.`;
}
