import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { escapeInvisible } from "@baton/core/text/sanitize";
import { toolArguments } from "../input-schema.ts";
import { escapeHidden } from "../result-text.ts";
import { actingTool, failed, inputField, type ToolExecutionResult, type PreviewContext } from "../tool-types.ts";
import { unknownCommandOutcome } from "./background-command-text.ts";
import { visibleInput } from "./visible-input.ts";
import { KEY_NAMES, typedBytes } from "./terminal-keys.ts";
import { QUIET_MS, screenOutcome } from "./screen-text.ts";

const DEFAULT_WAIT_MS = 10_000;
const MAX_WAIT_MS = 120_000;
const MAX_TEXT = 20_000;
const MAX_KEYS = 100;
/** Without a program that reads single keys, the kernel keeps 4,095 bytes of a line and drops the rest. */
const MAX_LINE_BYTES = 4_000;

type Input = { id: string; text?: string | undefined; keys?: string[] | undefined };

export const writeToCommand = actingTool({
  ...toolFields("write_to_command"),
  description: "Type into a command that has a terminal: first text, then keys. Returns its screen when it is quiet.",
  input: toolArguments({
    id: z.string().min(1),
    text: z.string().max(MAX_TEXT).optional(),
    keys: z.array(z.string()).max(MAX_KEYS).optional().describe("such as enter, tab, escape, up, ctrl-c"),
    wait_ms: z.int().min(0).max(MAX_WAIT_MS).optional(),
  }),
  question: "Type this into the command?",
  label: (input) => ({
    verb: "type",
    object: `${visibleInput(inputOf(input)).replaceAll("\n", "")} → ${escapeHidden(inputField(input, "id"))}`,
  }),
  access: ({ id }) => [{ action: "input", resource: id }],
  polls: true,
  beforehand: async (input, context) => problemOf(input, context),
  preview: async ({ id, text, keys }, { ports, sessionId }) => {
    const command = ports.shell.list(sessionId).find((each) => each.id === id)?.command ?? "";
    const target = `Into ${id}: ${escapeInvisible(command)}`; // before the text, which could imitate it
    return { type: "text", format: "plain", text: `${target}\n\n${visibleInput({ text, keys })}\n\n${WIDE}` };
  },
  run: async ({ id, text, keys, wait_ms: mostMs = DEFAULT_WAIT_MS }, context) => {
    const problem = problemOf({ id, text, keys }, context);
    if (problem) return problem;
    const { ports, sessionId, signal } = context;
    const typed = typedBytes({ text, keys });
    const isTyped = "bytes" in typed && ports.shell.write(sessionId, id, typed.bytes);
    const seen = await ports.shell.screen(sessionId, id, { quietMs: QUIET_MS, mostMs: isTyped ? mostMs : 0, signal });
    if (!seen) return unknownCommandOutcome(id, ports, sessionId);
    const { outcome: _, ...shown } = screenOutcome(id, seen, context.cwd);
    return isTyped
      ? { ...shown, outcome: "ok" }
      : { ...shown, outcome: "failed", text: `The command has ended, so nothing was typed.\n${shown.text}` };
  },
});

/** Shown by every request, because "This session" and "This workspace" create a rule. */
const WIDE =
  "A rule that allows this lets the agent type anything into this command. In a shell, an interpreter or an editor it can then run any command.";

/** The result of a call that cannot type anything. */
function problemOf(
  { id, text, keys }: Input,
  { ports, sessionId }: Pick<PreviewContext, "ports" | "sessionId">,
): ToolExecutionResult | undefined {
  const known = ports.shell.list(sessionId).find((each) => each.id === id);
  if (!known) return unknownCommandOutcome(id, ports, sessionId);
  if (!known.terminal) return failed(`${id} has no terminal, so nobody can type into it. Start it again with run_command and terminal.`);
  if (!known.running) return failed(`${id} has ended, so nobody can type into it. command_output shows its last screen.`);
  if ((text ?? "").split(/[\r\n]/).some((line) => Buffer.byteLength(line) > MAX_LINE_BYTES))
    return failed(
      `A line is longer than ${MAX_LINE_BYTES} bytes, of which a terminal may drop the end, so nothing was typed. Write a file and name it instead.`,
    );
  const typed = typedBytes({ text, keys });
  if ("unknownKey" in typed)
    return failed(`There is no key ${typed.unknownKey.slice(0, 40)}, so nothing was typed. The keys are: ${KEY_NAMES}.`);
  if (typed.bytes === "")
    return failed("Neither text nor keys were given, so nothing was typed. Use command_output to look at the screen.");
  return undefined;
}

/** The input of a call that has not been checked. */
function inputOf(input: unknown): Omit<Input, "id"> {
  const keys = typeof input === "object" && input !== null ? (input as Record<string, unknown>)["keys"] : undefined;
  return { text: inputField(input, "text"), keys: Array.isArray(keys) ? keys.map(String) : [] };
}
