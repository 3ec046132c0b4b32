import * as z from "zod";

/** The name of an MCP server. It begins the names of its tools, so it contains no `__`. */
export const ServerName = z
  .string()
  .max(40)
  .regex(/^(?!.*__)[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/, "a server name consists of letters, digits, single _ - and .");

const Entries = z.array(z.string().min(1).max(1_000)).max(200).optional();

/**
 * The part of the machine that a program in the sandbox gets besides the system, the toolchains and its folder, which it can read. `reads`,
 * `writes`: existing files and folders, relative to its folder or below the home folder as `~/…`. `hosts`: `example.com`, `*.example.com` or
 * `example.com:8443`.
 */
export const ServerSandbox = z.strictObject({ reads: Entries, writes: Entries, hosts: Entries });
export type ServerSandbox = z.infer<typeof ServerSandbox>;

/**
 * How to reach an MCP server: a program to start (`command`) or an address (`url`). `${NAME}`, `${NAME:-default}` and `{env:NAME}` in a
 * value stand for variables of the daemon's environment.
 */
export const McpServer = z
  .strictObject({
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    /** The working directory. The workspace by default. */
    cwd: z.string().optional(),
    type: z.enum(["stdio", "http", "streamable-http", "sse"]).optional(),
    url: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** The maximum silence of a call, in milliseconds. */
    timeoutMs: z.number().int().positive().optional(),
    disabled: z.boolean().optional(),
    /** Whether each place (a worktree of a session) has a process of its own. Otherwise places share the server of their source folder. */
    perPlace: z.boolean().optional(),
    /** Runs the program in the sandbox, with only this access. */
    sandbox: ServerSandbox.optional(),
  })
  .check((context) => {
    const { command, url, sandbox } = context.value;
    if ((command === undefined) === (url === undefined))
      context.issues.push({ code: "custom", input: context.value, message: "a server has either a command or a url" });
    if (url !== undefined && sandbox !== undefined)
      context.issues.push({ code: "custom", input: context.value, message: "only a server with a command can run in the sandbox" });
  });
export type McpServer = z.infer<typeof McpServer>;

/** A server's claims about a tool. Baton does not verify them: they may make a verdict stricter, but never wider. */
export type ToolHints = {
  title?: string | undefined;
  readOnly?: boolean | undefined;
  destructive?: boolean | undefined;
  idempotent?: boolean | undefined;
  openWorld?: boolean | undefined;
};
