import * as z from "zod";

/** A run of changed lines, as in a unified diff. Each line begins with " ", "+" or "-". Line numbers count from 1. */
export const Hunk = z.object({ oldStart: z.number().int(), newStart: z.number().int(), lines: z.array(z.string()) });
export type Hunk = z.infer<typeof Hunk>;

/** The line ends of a text. */
export const LineEnds = z.enum(["LF", "CRLF", "mixed"]);
export type LineEnds = z.infer<typeof LineEnds>;

/** How to draw something. A client that supports these views can draw every tool. */
export const View = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), format: z.enum(["plain", "markdown"]) }),
  z.object({
    type: z.literal("diff"),
    path: z.string(),
    change: z.enum(["create", "change", "delete"]),
    added: z.number().int(),
    removed: z.number().int(),
    /** Without line ends if each side has only one kind. */
    hunks: z.array(Hunk),
    /** Present if the line ends change. `from` is absent for a new file. */
    lineEnds: z.object({ from: LineEnds.optional(), to: LineEnds }).optional(),
  }),
  z.object({
    type: z.literal("command"),
    command: z.string(),
    cwd: z.string(),
    /** Absent if the command outlives its call. */
    timeLimitMs: z.number().optional(),
    /** The command gets a terminal. */
    terminal: z.boolean().optional(),
  }),
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

/** The short name of a call on the screen: `read  src/a.ts`, `run  pnpm test`. */
export const CallLabel = z.object({ verb: z.string(), object: z.string() });
export type CallLabel = z.infer<typeof CallLabel>;
