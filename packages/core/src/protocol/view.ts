import * as z from "zod";

/** One run of changed lines, as in a unified diff: each line starts with " ", "+" or "-". Line numbers count from 1. */
export const Hunk = z.object({ oldStart: z.number().int(), newStart: z.number().int(), lines: z.array(z.string()) });
export type Hunk = z.infer<typeof Hunk>;

/** How the lines of a text end. */
export const LineEnds = z.enum(["LF", "CRLF", "mixed"]);
export type LineEnds = z.infer<typeof LineEnds>;

/** How a thing is to be drawn. A client that knows these can draw every tool there will ever be. */
export const View = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), format: z.enum(["plain", "markdown"]) }),
  z.object({
    type: z.literal("diff"),
    path: z.string(),
    change: z.enum(["create", "change", "delete"]),
    added: z.number().int(),
    removed: z.number().int(),
    /** Without the ends of lines, as long as they are alike on each side. */
    hunks: z.array(Hunk),
    /** What the ends of lines become, where that is another than before; `from` is not there for a new file. */
    lineEnds: z.object({ from: LineEnds.optional(), to: LineEnds }).optional(),
  }),
  z.object({ type: z.literal("command"), command: z.string(), cwd: z.string(), timeLimitMs: z.number().optional() }),
  z.object({
    type: z.literal("terminal"),
    head: z.string(),
    tail: z.string(),
    omittedLines: z.number().int(),
    exitCode: z.number().int().nullable(),
    blob: z.string().optional(),
  }),
  z.object({
    type: z.literal("files"),
    files: z.array(z.object({ path: z.string(), line: z.number().int().optional(), note: z.string().optional() })),
  }),
  z.object({ type: z.literal("link"), url: z.string(), label: z.string() }),
  z.object({
    type: z.literal("list"),
    items: z.array(z.object({ text: z.string(), state: z.enum(["open", "doing", "done"]).optional() })),
  }),
]);
export type View = z.infer<typeof View>;
export type DiffView = Extract<View, { type: "diff" }>;
export type TerminalView = Extract<View, { type: "terminal" }>;

/** What a call is called on a screen: `read  src/a.ts`, `run  pnpm test`. */
export const Label = z.object({ verb: z.string(), object: z.string() });
export type Label = z.infer<typeof Label>;
