import { homedir } from "node:os";
import { shortenHome } from "@baton/core/text/format";

type Fault = { file: string; line: number; column: number; message: string };

/** Whether it lies in a line of a file that a person writes; the store's own fault names its file itself. */
export const isInLine = ({ file, message }: Pick<Fault, "file" | "message">): boolean => !message.includes(file);

/** What the daemon found wrong, with its place before it. */
export const formatDiagnostic = ({ file, line, column, message }: Fault): string =>
  isInLine({ file, message }) ? `${shortenHome(file, homedir())}:${line}:${column} ${message}` : message;
