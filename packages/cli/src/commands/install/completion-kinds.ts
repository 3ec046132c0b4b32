export const completionKinds = ["models", "modes", "sessions", "requests", "servers"] as const;

/** The kind of name that a value is, so that a shell can complete it with the names that exist now. */
export type CompletionKind = (typeof completionKinds)[number];

const OF_OPTION: Readonly<Record<string, CompletionKind>> = {
  "--model": "models",
  "--mode": "modes",
  "--session": "sessions",
  "--resume": "sessions",
};
const OF_ARGUMENT: Readonly<Record<string, CompletionKind>> = { session: "sessions", request: "requests" };
/** Commands in which `name` or `slug` is a name that exists. */
const OF_COMMAND: Readonly<Record<string, CompletionKind>> = {
  ...Object.fromEntries(["show", "edit", "delete", "restore", "export"].map((name) => [`modes ${name}`, "modes" as const])),
  ...Object.fromEntries(["remove", "test", "login", "logs", "approve"].map((name) => [`mcp ${name}`, "servers" as const])),
};

export const kindOfOption = (long: string | undefined): CompletionKind | undefined => (long === undefined ? undefined : OF_OPTION[long]);

/** The kind of name in the first argument of a command. */
export const kindOfArgument = (command: string, argument: string | undefined): CompletionKind | undefined =>
  OF_COMMAND[command] ?? (argument === undefined ? undefined : OF_ARGUMENT[argument]);
