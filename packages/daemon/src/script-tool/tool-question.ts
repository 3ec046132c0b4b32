import { hash } from "node:crypto";
import { escapeInvisible, sanitize } from "@baton/core/text/sanitize";
import type { View } from "@baton/core/protocol/tool-view";
import { accessText } from "./declared-access.ts";
import type { ScriptTool, KnownTool, ToolFolder } from "./tool-definition.ts";

/** The question whether the agent may use the tools of a folder. `hashes`: exactly what would be approved. */
export type ToolQuestion = { folder: string; hashes: readonly string[]; hash: string; header: string; text: string; view: View };

/** Asks about all tools of a folder that nobody has decided, with their commands and what they declare. */
export function toolQuestion({ label, folder }: ToolFolder, tools: readonly KnownTool[]): ToolQuestion {
  const hashes = tools.map(({ tool }) => tool.hash);
  return {
    folder: label,
    hashes,
    hash: hash("sha256", JSON.stringify(hashes)),
    header: "Let the agent use these tools?",
    text: `${folder} has ${tools.length === 1 ? "a tool" : `${tools.length} tools`} for the agent. Their scripts run with your permissions, and Baton cannot verify what they declare. Each call is still judged by your rules. Baton asks again when they change.`,
    view: { type: "text", format: "plain", text: tools.map(({ tool }) => toolText(tool)).join("\n\n") },
  };
}

/** A tool with everything that the user approves. */
function toolText({ name, schema, launch }: ScriptTool): string {
  return escapeInvisible(
    [
      `${name}: ${sanitize(schema.description)}`,
      `  ${commandText(launch)}`,
      `  It declares: ${accessText(schema.access)}`,
      `  At most ${schema.timeout} s for a call`,
    ].join("\n"),
  );
}

/** The command line of a tool, without its input. */
export const commandText = ({ file, args }: ScriptTool["launch"]): string =>
  [file, ...args].map((word) => (/^[\w./+-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
