import { homedir } from "node:os";
import { shortenHome } from "@baton/core/text/format";

type FileDiagnostic = { file: string; line: number; column: number; message: string };

/**
 * Whether a diagnostic is about a line of a file that the user writes. Diagnostics of the store name the file in their
 * message.
 */
export const hasPosition = ({ file, message }: Pick<FileDiagnostic, "file" | "message">): boolean => !message.includes(file);

/** A diagnostic with its position. */
export const formatDiagnostic = ({ file, line, column, message }: FileDiagnostic): string =>
  hasPosition({ file, message }) ? `${shortenHome(file, homedir())}:${line}:${column} ${message}` : message;
