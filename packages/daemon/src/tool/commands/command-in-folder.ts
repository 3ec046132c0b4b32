/**
 * The command that runs in a folder. Baton judges and runs this same text, so `workdir` is judged as the `cd` that it is. A text with more than
 * one command gets a line of its own, because `cd a && b & c` would run `c` in the workspace.
 */
export function commandInFolder(workdir: string | undefined, command: string): string {
  if (workdir === undefined || /^\.?\/?$/.test(workdir)) return command;
  const isOneCommand = !/[\n;&|#<]/.test(command);
  const folder = workdir.startsWith("-") ? `./${workdir}` : workdir; // cd would take it for an option
  return `cd ${quoted(folder)}${isOneCommand ? " && " : "\n"}${command}`;
}

const quoted = (path: string): string => (/^[\w./:=@%+~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
