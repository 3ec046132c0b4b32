import { oneLine } from "@baton/core/text/sanitize";
import { shortenHome } from "@baton/core/text/format";
import { hang, contentWidth, type TerminalStyle } from "../../render/layout.ts";
import type { Api } from "../../connection/daemon-connection.ts";
import { homedir } from "node:os";

export type Diagnostic = Awaited<ReturnType<Api["mode"]["validate"]["query"]>>["diagnostics"][number];

/** Prints what is wrong with mode files to stderr: where, what, and what to do. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], look: TerminalStyle): void {
  const lines = diagnostics.flatMap(({ file, line, column, severity, code, message, fix }) => [
    `${look.ink.link(`${shortenHome(file, look.home)}:${line}:${column}`)} ${severity === "error" ? look.ink.attention(severity) : severity} ${look.ink.dim(code)}`,
    ...hang(oneLine(message), "  ", contentWidth(look)),
    ...(fix === undefined ? [] : hang(look.ink.dim(oneLine(fix)), "  ", contentWidth(look))),
  ]);
  if (lines.length > 0) process.stderr.write(`${lines.join("\n")}\n`);
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean => diagnostics.some(({ severity }) => severity === "error");

type Fault = { file: string; line: number; column: number; message: string };

/** Whether it lies in a line of a file that a person writes; the store's own fault names its file itself. */
export const isInLine = ({ file, message }: Pick<Fault, "file" | "message">): boolean => !message.includes(file);

/** What the daemon found wrong, with its place before it. */
export const formatDiagnostic = ({ file, line, column, message }: Fault): string =>
  isInLine({ file, message }) ? `${shortenHome(file, homedir())}:${line}:${column} ${message}` : message;
