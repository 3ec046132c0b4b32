/** The flags of a mode or the config, and the tool that each enables. Baton keeps other flags for other programs. */
export const experimentFlags: Readonly<Record<string, string>> = { runSlashCommand: "run_slash_command" };
