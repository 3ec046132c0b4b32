import * as z from "zod";
import { ToolsetName } from "../protocol/toolset/toolset-profile.ts";

const MAX_TOOLS = 100;
export const MAX_LISTED_TOOLS = 500;
export const MAX_NOTES_LENGTH = 2_000;

const revision = { expectedRevision: z.number().int().optional().describe("Fails with `conflict` if the revision has changed.") };

const REF = 'name a tool as {"namespacedName": "server__tool"} or {"refId": "..."}, as in list-available-tools';

const RefObject = z
  .strictObject(
    {
      namespacedName: z.string().min(1).max(200).optional().describe("server__tool, as in list-available-tools."),
      refId: z.string().min(1).max(200).optional().describe("The refId from list-available-tools."),
    },
    { error: ({ code }) => (code === "invalid_type" ? REF : undefined) },
  )
  .refine(({ namespacedName, refId }) => (namespacedName === undefined) !== (refId === undefined), {
    message: "name a tool by exactly one of namespacedName and refId",
  });

/** A refId is a digest. The name of a tool contains `__`, so it never looks like one. */
const REF_ID = /^[0-9a-f]{64}$/;

const refOf = (text: string) => (REF_ID.test(text) ? { refId: text } : { namespacedName: text });

/** Accepts a plain string as a name or a refId. The schema that clients see only has the object. */
const Ref = z.preprocess((ref) => (typeof ref === "string" ? refOf(ref) : ref), RefObject);

const NoteName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])$/, "the name of a note consists of 2 to 50 characters a-z, 0-9 and dashes");

/** The inputs of the ten toolset tools. */
export const toolsetInputs = {
  "enter-configuration-mode": z.strictObject({}),
  "exit-configuration-mode": z.strictObject({}),
  "list-available-tools": z.strictObject({
    server: z.string().optional().describe("Only tools of this server."),
    query: z.string().max(200).optional().describe("Only tools whose name or description contains these words."),
    limit: z.number().int().min(1).max(MAX_LISTED_TOOLS).optional(),
    cursor: z.string().optional().describe("nextCursor of the previous answer."),
    detail: z.enum(["names", "summary", "full"]).optional(),
  }),
  "build-toolset": z.strictObject({
    name: ToolsetName,
    tools: z
      .array(Ref, { error: ({ code }) => (code === "invalid_type" ? `pass a list of tools: ${REF}` : undefined) })
      .min(1)
      .max(MAX_TOOLS),
    description: z.string().max(200).optional(),
    autoEquip: z.boolean().optional().describe("Equips the toolset at once, which leaves configuration mode."),
    replace: z.boolean().optional().describe("Replaces a toolset of this name."),
    ...revision,
  }),
  "list-saved-toolsets": z.strictObject({}),
  "equip-toolset": z.strictObject({
    name: z.string(),
    acceptChanges: z.boolean().optional().describe("Accepts tools whose description changed since the toolset was built."),
    ...revision,
  }),
  "unequip-toolset": z.strictObject({ ...revision }),
  "delete-toolset": z.strictObject({
    name: z.string(),
    confirm: z.boolean({ error: "pass confirm: true. A deleted toolset cannot be restored." }).describe("Must be true."),
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

export type ToolsetTool = keyof typeof toolsetInputs;
export type InputOf<T extends ToolsetTool> = z.output<(typeof toolsetInputs)[T]>;

export type ToolsetToolHints = { title: string; readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };

const hints = (title: string, readOnly: boolean, destructive: boolean, idempotent: boolean): ToolsetToolHints => ({
  title,
  readOnly,
  destructive,
  idempotent,
  openWorld: false,
});

/** The description of each tool for models, its purpose in lists, and its hints. */
export const toolsetToolDefinitions: Readonly<Record<ToolsetTool, { description: string; purpose: string; hints: ToolsetToolHints }>> = {
  "enter-configuration-mode": {
    purpose: "enter configuration mode",
    description:
      "Enter configuration mode to select tools. It has list-available-tools (all tools of all servers), build-toolset (save a selection), list-saved-toolsets, equip-toolset (use a selection), unequip-toolset, delete-toolset, get-active-toolset and add-tool-annotation (notes on a tool). The operational tools are hidden meanwhile.",
    hints: hints("Enter Configuration Mode", false, false, true),
  },
  "exit-configuration-mode": {
    purpose: "leave configuration mode",
    description:
      "Leave configuration mode. The tools of the equipped toolset are available again, and the configuration tools are hidden. If no toolset is equipped, only enter-configuration-mode remains. equip-toolset leaves configuration mode as well.",
    hints: hints("Exit Configuration Mode", false, false, true),
  },
  "list-available-tools": {
    purpose: "list all tools of all servers",
    description:
      "List the tools that you can select, by server, with the tokens that each costs. Unavailable servers are listed with the reason.",
    hints: hints("List Available Tools", true, false, true),
  },
  "build-toolset": {
    purpose: "save a selection of tools",
    description: "Save a named selection of tools. Nothing is saved if one of them does not exist. autoEquip uses the selection at once.",
    hints: hints("Build Toolset", false, false, false),
  },
  "list-saved-toolsets": {
    purpose: "list the saved selections",
    description: "List the saved toolsets, with the tools that are missing or have changed since.",
    hints: hints("List Saved Toolsets", true, false, true),
  },
  "equip-toolset": {
    purpose: "use a saved selection",
    description: "Use a toolset. Its tools are available from the next step, and configuration mode ends.",
    hints: hints("Equip Toolset", false, false, true),
  },
  "unequip-toolset": {
    purpose: "stop using the selection",
    description: "Stop using the equipped toolset. No operational tools remain, and you are in configuration mode.",
    hints: hints("Unequip Toolset", false, false, true),
  },
  "delete-toolset": {
    purpose: "delete a saved selection permanently",
    description: "Delete a toolset permanently. confirm must be true. An equipped toolset is unequipped first.",
    hints: hints("Delete Toolset", false, true, true),
  },
  "get-active-toolset": {
    purpose: "show the equipped selection",
    description: "Show which toolset is equipped, which tools it provides, and its problems.",
    hints: hints("Get Active Toolset", true, false, true),
  },
  "add-tool-annotation": {
    purpose: "add notes to a tool",
    description: "Add notes to a tool of the equipped toolset: when to use it, and how. They appear after its description.",
    hints: hints("Add Tool Annotation", false, false, true),
  },
};

export const toolsetTools = Object.keys(toolsetInputs) as readonly ToolsetTool[]; // the keys of the table above

export const isToolsetTool = (name: string): name is ToolsetTool => Object.hasOwn(toolsetInputs, name);

/** The tools that configuration mode lists, in the same order everywhere. */
export const configurationModeTools: readonly ToolsetTool[] = toolsetTools.filter((name) => name !== "enter-configuration-mode");
