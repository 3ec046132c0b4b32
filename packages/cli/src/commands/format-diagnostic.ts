import { homedir } from "node:os";
import { tilde } from "@baton/core/text/format";

type Fault = { file: string; line: number; column: number; message: string };

/** Whether it lies in a line of a file that a person writes; the store's own fault names its file itself. */
export const isInLine = ({ file, message }: Pick<Fault, "file" | "message">): boolean => !message.includes(file);

/** What the daemon found wrong, with its place before it. */
export const sayFault = ({ file, line, column, message }: Fault): string =>
  isInLine({ file, message }) ? `${tilde(file, homedir())}:${line}:${column} ${message}` : message;
