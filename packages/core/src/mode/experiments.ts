/** Flags that a mode or the config may set, and the tool that each switches on. Other flags are kept for other programs. */
export const flags: Readonly<Record<string, string>> = { runSlashCommand: "run_slash_command" };
