import * as z from "zod";

/** A language server in the format of Claude Code. */
export type ForeignLanguageServer = {
  command: string;
  args: readonly string[];
  /** The protocol's name of the language for each ending, in lower case. */
  languages: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  initialization: Readonly<Record<string, unknown>>;
};

/** Why a server is left out. `name` is undefined if the whole file is wrong. */
type LeftOutServer = { name: string | undefined; reason: string };

const ClaudeServer = z.looseObject({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  extensionToLanguage: z.record(z.string().regex(/^\.[\w.+#-]+$/), z.string()),
  transport: z.literal("stdio").optional(),
  env: z.record(z.string(), z.string()).optional(),
  initializationOptions: z.record(z.string(), z.unknown()).optional(),
});

/** Reads a table of language servers, as `.lsp.json` has it. An invalid server is left out. */
export function parseLanguageServers(value: unknown): { servers: Record<string, ForeignLanguageServer>; leftOut: LeftOutServer[] } {
  const servers: Record<string, ForeignLanguageServer> = {};
  const leftOut: LeftOutServer[] = [];
  const table = z.record(z.string(), z.unknown()).safeParse(value);
  if (!table.success) return { servers, leftOut: [{ name: undefined, reason: "It is not a table of language servers." }] };
  for (const [name, entry] of Object.entries(table.data)) {
    const parsed = ClaudeServer.safeParse(entry);
    if (!/^[\w.+#-]{1,60}$/.test(name)) leftOut.push({ name, reason: "its name is not one plain word." });
    else if (!parsed.success) leftOut.push({ name, reason: issueText(parsed.error) });
    else {
      const { command, args = [], extensionToLanguage, env = {}, initializationOptions: initialization = {} } = parsed.data;
      const languages = Object.fromEntries(Object.entries(extensionToLanguage).map(([each, id]) => [each.toLowerCase(), id]));
      servers[name] = { command, args, languages, env, initialization };
    }
  }
  return { servers, leftOut };
}

/** The first problem of a file, with its place. */
export const issueText = ({ issues: [issue] }: z.ZodError): string =>
  `${issue?.path.map(String).join(".") || "its top"}: ${issue?.message ?? "no reason"}.`;
