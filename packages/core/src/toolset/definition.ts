import * as z from "zod";
import { ToolsetName } from "../protocol/toolset.ts";

export const MAX_TOOLS = 100;
export const MAX_LISTED = 500;
export const MAX_NOTES = 2_000;

const revision = { expectedRevision: z.number().int().optional().describe("Refuses with `conflict` when the revision is another by now.") };

const REF = 'name a tool as {"namespacedName": "server__tool"} or as {"refId": "..."}, as list-available-tools shows it';

const RefObject = z
  .strictObject(
    {
      namespacedName: z.string().min(1).max(200).optional().describe("server__tool, as list-available-tools names it."),
      refId: z.string().min(1).max(200).optional().describe("The refId of list-available-tools."),
    },
    { error: ({ code }) => (code === "invalid_type" ? REF : undefined) },
  )
  .refine(({ namespacedName, refId }) => (namespacedName === undefined) !== (refId === undefined), {
    message: "name a tool by exactly one of namespacedName and refId",
  });

/** A refId is a digest. The name of a tool holds `__`, so it is never one. */
const REF_ID = /^[0-9a-f]{64}$/;

/** A string is taken for the name or the refId that it is; what is advertised is the object. */
const Ref = z.preprocess(
  (given) => (typeof given !== "string" ? given : REF_ID.test(given) ? { refId: given } : { namespacedName: given }),
  RefObject,
);

const NoteName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])$/, "the name of a note is made of a-z, 0-9 and dashes, 2 to 50 of them");

/** What the ten tools take. */
export const inputs = {
  "enter-configuration-mode": z.strictObject({}),
  "exit-configuration-mode": z.strictObject({}),
  "list-available-tools": z.strictObject({
    server: z.string().optional().describe("Only the tools of this server."),
    query: z.string().max(200).optional().describe("Only tools whose name or description holds these words."),
    limit: z.number().int().min(1).max(MAX_LISTED).optional(),
    cursor: z.string().optional().describe("nextCursor of the answer before."),
    detail: z.enum(["names", "summary", "full"]).optional(),
  }),
  "build-toolset": z.strictObject({
    name: ToolsetName,
    tools: z
      .array(Ref, { error: ({ code }) => (code === "invalid_type" ? `pass a list of tools: ${REF}` : undefined) })
      .min(1)
      .max(MAX_TOOLS),
    description: z.string().max(200).optional(),
    autoEquip: z.boolean().optional().describe("Equips it at once, which leaves configuration mode."),
    replace: z.boolean().optional().describe("Takes the place of a toolset with this name."),
    ...revision,
  }),
  "list-saved-toolsets": z.strictObject({}),
  "equip-toolset": z.strictObject({
    name: z.string(),
    acceptChanges: z.boolean().optional().describe("Takes tools whose description changed since the toolset was built as they are now."),
    ...revision,
  }),
  "unequip-toolset": z.strictObject({ ...revision }),
  "delete-toolset": z.strictObject({
    name: z.string(),
    confirm: z.boolean({ error: "pass confirm: true. A deleted toolset cannot be brought back." }).describe("Has to be true."),
    ...revision,
  }),
  "get-active-toolset": z.strictObject({}),
  "add-tool-annotation": z.strictObject({
    toolRef: Ref,
    notes: z
      .array(z.strictObject({ name: NoteName, note: z.string().min(1).max(500) }))
      .min(1)
      .max(20),
    replace: z.boolean().optional(),
    ...revision,
  }),
} as const;

export type ToolsetTool = keyof typeof inputs;
export type InputOf<T extends ToolsetTool> = z.output<(typeof inputs)[T]>;

export type ToolsetHints = { title: string; readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };

const hints = (title: string, readOnly: boolean, destructive: boolean, idempotent: boolean): ToolsetHints => ({
  title,
  readOnly,
  destructive,
  idempotent,
  openWorld: false,
});

/** What is said of each of them. */
export const definitions: Readonly<Record<ToolsetTool, { description: string; purpose: string; hints: ToolsetHints }>> = {
  "enter-configuration-mode": {
    purpose: "go into configuration mode",
    description:
      "Go into configuration mode to choose tools. There you have list-available-tools (all tools of all servers), build-toolset (make a selection), list-saved-toolsets, equip-toolset (use a selection), unequip-toolset, delete-toolset, get-active-toolset and add-tool-annotation (notes beside a tool). The operational tools are hidden meanwhile.",
    hints: hints("Enter Configuration Mode", false, false, true),
  },
  "exit-configuration-mode": {
    purpose: "leave configuration mode",
    description:
      "Leave configuration mode. The tools of the equipped toolset are there again, the configuration tools are hidden; with nothing equipped only the way back in is left. Equipping a toolset leaves by itself.",
    hints: hints("Exit Configuration Mode", false, false, true),
  },
  "list-available-tools": {
    purpose: "see all tools of all servers",
    description:
      "List the tools that can be chosen, by server, with what each costs in tokens. Servers that are not there are named with the reason.",
    hints: hints("List Available Tools", true, false, true),
  },
  "build-toolset": {
    purpose: "make and keep a selection of tools",
    description: "Keep a named selection of tools. Nothing is kept when one of them does not exist. autoEquip uses it at once.",
    hints: hints("Build Toolset", false, false, false),
  },
  "list-saved-toolsets": {
    purpose: "see the kept selections",
    description: "List the toolsets that were built, with what is missing or has changed since.",
    hints: hints("List Saved Toolsets", true, false, true),
  },
  "equip-toolset": {
    purpose: "use a kept selection",
    description: "Use a toolset: its tools are there from the next step, and configuration mode is left.",
    hints: hints("Equip Toolset", false, false, true),
  },
  "unequip-toolset": {
    purpose: "put the selection away",
    description: "Put the equipped toolset away. No operational tool is left; you are in configuration mode then.",
    hints: hints("Unequip Toolset", false, false, true),
  },
  "delete-toolset": {
    purpose: "remove a kept selection for good",
    description: "Remove a toolset for good. confirm has to be true. One that is equipped is put away first.",
    hints: hints("Delete Toolset", false, true, true),
  },
  "get-active-toolset": {
    purpose: "see what is equipped",
    description: "Say which toolset is equipped, which tools it gives, and what is wrong with it.",
    hints: hints("Get Active Toolset", true, false, true),
  },
  "add-tool-annotation": {
    purpose: "write notes beside a tool",
    description: "Write notes beside a tool of the equipped toolset: when to use it, and how. They are shown after its description.",
    hints: hints("Add Tool Annotation", false, false, true),
  },
};

export const toolsetTools = Object.keys(inputs) as readonly ToolsetTool[]; // the keys of the table above

export const isToolsetTool = (name: string): name is ToolsetTool => Object.hasOwn(inputs, name);

/** In the same order everywhere; going in and out stand for themselves. */
export const whileConfiguring: readonly ToolsetTool[] = toolsetTools.filter((name) => name !== "enter-configuration-mode");
