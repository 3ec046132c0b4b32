/** The shells that run commands. Only the first two read the language that the command gate understands. */
export type ShellKind = "bash" | "sh" | "pwsh" | "powershell" | "cmd";

/** Quotes a text so that the shell reads it as one argument. Undefined if the shell has no way to do that. */
export function quoteFor(kind: ShellKind, text: string): string | undefined {
  switch (kind) {
    case "bash":
    case "sh":
      return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
    case "pwsh":
    case "powershell":
      // PowerShell also takes typographic quotes for quotes.
      return /^[\w./\\:=-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
    case "cmd":
      // cmd replaces variables within quotes, and a line end ends the command.
      return /[%!"\r\n]/.test(text) ? undefined : /^[\w./\\:=-]+$/.test(text) ? text : `"${text.replace(/\\+$/, "$&$&")}"`;
  }
}
