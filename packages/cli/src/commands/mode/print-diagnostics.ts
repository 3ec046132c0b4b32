import { oneLine } from "@baton/core/text/sanitize";
import { shortenHome } from "@baton/core/text/format";
import { hangingIndent, contentWidth, type TerminalStyle } from "../../render/layout.ts";
import type { Api } from "../../connection/daemon-connection.ts";

type Diagnostic = Awaited<ReturnType<Api["mode"]["validate"]["query"]>>["diagnostics"][number];

/** Prints diagnostics of mode files to stderr: position, problem, fix. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], style: TerminalStyle): void {
  const lines = diagnostics.flatMap(({ file, line, column, severity, code, message, fix }) => [
    `${style.ansi.link(`${shortenHome(file, style.home)}:${line}:${column}`)} ${severity === "error" ? style.ansi.attention(severity) : severity} ${style.ansi.dim(code)}`,
    ...hangingIndent(oneLine(message), "  ", contentWidth(style)),
    ...(fix === undefined ? [] : hangingIndent(style.ansi.dim(oneLine(fix)), "  ", contentWidth(style))),
  ]);
  if (lines.length > 0) process.stderr.write(`${lines.join("\n")}\n`);
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean => diagnostics.some(({ severity }) => severity === "error");
