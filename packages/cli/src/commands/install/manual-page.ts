import type { CommandInfo } from "./command-tree.ts";

/** The manual page `baton(1)` in roff, from the command tree. */
export function manualPage(version: string, tree: readonly CommandInfo[]): string {
  const [program, ...commands] = tree;
  return [
    `.TH BATON 1 "" "baton ${version}"`,
    ".SH NAME",
    `baton \\- AI coding sessions that survive crashes and ask before they act`,
    ".SH SYNOPSIS",
    `.B baton`,
    roff("[OPTIONS] [COMMAND] [PATH]"),
    ".SH DESCRIPTION",
    roff(program?.about ?? ""),
    ".SH OPTIONS",
    ...(program?.options ?? []).flatMap(({ flags, about }) => entry(flags, about)),
    ".SH COMMANDS",
    ...commands.flatMap(({ usage, about, options }) => [
      `.SS ${roff(usage.replace(/^baton /, ""))}`,
      roff(about),
      ...options.filter(({ names }) => !names.includes("--help")).flatMap(({ flags, about: purpose }) => entry(flags, purpose)),
    ]),
    ".SH FILES",
    roff("`baton doctor` prints the folders of the config, the sessions and the log. BATON_HOME moves all of them."),
    ".SH SEE ALSO",
    roff("`baton help topics` lists the documentation."),
    "",
  ].join("\n");
}

const entry = (term: string, about: string): string[] => [".TP", `.B ${roff(term)}`, roff(about)];

/** Escapes a text: backslashes, hyphens, and a leading dot or quote, which would be a request. */
const roff = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1");
