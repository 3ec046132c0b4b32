import * as z from "zod";
import { defineEvent as event } from "../define-event.ts";
import { Actor } from "../request.ts";
import { MAX_TOOLSET_NAME_LENGTH, TOOLSET_NAME, INVALID_TOOLSET_NAME } from "./toolset-name.ts";

export const ToolsetName = z.string().max(MAX_TOOLSET_NAME_LENGTH).regex(TOOLSET_NAME, INVALID_TOOLSET_NAME);

/** A note that the user or an agent wrote about a tool. */
export const ToolNote = z.object({ name: z.string(), note: z.string() });
export type ToolNote = z.infer<typeof ToolNote>;

/** A tool as it was when it was added: its name, and the hash of everything that its server said about it. */
export const PinnedTool = z.object({ name: z.string(), hash: z.string(), notes: z.array(ToolNote) });
export type PinnedTool = z.infer<typeof PinnedTool>;

/** A named selection of tools. Times are epoch milliseconds. */
export const Toolset = z.object({
  name: ToolsetName,
  description: z.string(),
  tools: z.array(PinnedTool),
  createdAt: z.number(),
  modifiedAt: z.number(),
});
export type Toolset = z.infer<typeof Toolset>;

/**
 * The tools that a client sees. `dual`: either the toolset tools or the equipped tools. `flat`: both at once. `search`: tools to find and
 * call the equipped tools. `proxy`: the tools of one server under their own names.
 */
export const ListingPolicy = z.enum(["dual", "flat", "search", "proxy"]);
export type ListingPolicy = z.infer<typeof ListingPolicy>;

/** All events of a profile: its toolsets, which one is equipped, and whether a client configures it. */
export const ProfileEvent = z.discriminatedUnion("type", [
  /** `token`: a digest of the token that its clients send. `server`: the server that a proxy passes on. */
  event("profile.opened", { policy: ListingPolicy, server: z.string().optional(), workspace: z.string(), token: z.string(), by: Actor }),
  /**
   * A toolset was created or replaced. `noted`: only the notes of this tool differ. If the toolset was equipped in that state, it remains
   * equipped.
   */
  event("toolset.saved", { toolset: Toolset, noted: z.string().optional() }),
  event("toolset.deleted", { name: ToolsetName }),
  event("toolset.equipped", { name: ToolsetName }),
  event("toolset.unequipped", {}),
  event("configuration.entered", {}),
  event("configuration.left", {}),
  /** The list of tools changed. */
  event("tools.changed", {}),
]);
export type ProfileEvent = z.infer<typeof ProfileEvent>;
