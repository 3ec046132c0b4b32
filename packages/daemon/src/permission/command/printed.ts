import type { Script } from "./parse.ts";

/** What `cat <<'END' ...` prints for sure: the way in which long texts are handed over. */
export function printedBy(script: Script): string | undefined {
  const [only, ...more] = script.commands;
  const command = only?.command;
  if (more.length > 0 || only?.background || command?.type !== "Command" || command.name?.text !== "cat") return undefined;
  const [doc, ...rest] = [...command.prefix, ...command.suffix];
  if (rest.length > 0 || doc?.type !== "HereDoc" || doc.closing === undefined) return undefined;
  return doc.delimiter?.quoted || doc.body.parts === undefined ? doc.body.text : undefined;
}
