import * as z from "zod";

/** Also the first half of the names of its tools, so it holds no `__`. */
export const ServerName = z
  .string()
  .max(40)
  .regex(/^(?!.*__)[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/, "a server's name is made of letters, digits, single _ - and .");

/**
 * How an MCP server is reached: a program to start (`command`) or an address (`url`). `${NAME}`, `${NAME:-else}` and
 * `{env:NAME}` in a value stand for variables of the daemon's environment.
 */
export const McpServer = z
  .strictObject({
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    /** Where it is started; the workspace when not given. */
    cwd: z.string().optional(),
    type: z.enum(["stdio", "http", "streamable-http", "sse"]).optional(),
    url: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** How long a call may be silent, in milliseconds. */
    timeoutMs: z.number().int().positive().optional(),
    disabled: z.boolean().optional(),
  })
  .check((context) => {
    const { command, url } = context.value;
    if ((command === undefined) === (url === undefined))
      context.issues.push({ code: "custom", input: context.value, message: "a server has either a command or a url" });
  });
export type McpServer = z.infer<typeof McpServer>;

/** What a server says of a tool. Nobody has checked it: it may make an answer stricter, never wider. */
export type ToolHints = {
  title?: string | undefined;
  readOnly?: boolean | undefined;
  destructive?: boolean | undefined;
  idempotent?: boolean | undefined;
  openWorld?: boolean | undefined;
};
