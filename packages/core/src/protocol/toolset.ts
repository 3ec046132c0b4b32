import * as z from "zod";
import { Actor } from "./request.ts";
import { MAX_TOOLSET_NAME_LENGTH, TOOLSET_NAME, TOOLSET_NAMES } from "./toolset-name.ts";

export const ToolsetName = z.string().max(MAX_TOOLSET_NAME_LENGTH).regex(TOOLSET_NAME, TOOLSET_NAMES);

/** What a person or an agent wrote beside a tool. */
export const Note = z.object({ name: z.string(), note: z.string() });
export type Note = z.infer<typeof Note>;

/** A tool as it was when it was chosen: its name, and the hash of all that its server said of it. */
export const Pin = z.object({ name: z.string(), hash: z.string(), notes: z.array(Note) });
export type Pin = z.infer<typeof Pin>;

/** A named selection of tools. Times are epoch milliseconds. */
export const Toolset = z.object({
  name: ToolsetName,
  description: z.string(),
  tools: z.array(Pin),
  createdAt: z.number(),
  modifiedAt: z.number(),
});
export type Toolset = z.infer<typeof Toolset>;

/**
 * What is listed: one of two lists by turns, both at once, or a search in place of the chosen tools. `proxy`: one server, as it is,
 * under its own names.
 */
export const ListingPolicy = z.enum(["dual", "flat", "search", "proxy"]);
export type ListingPolicy = z.infer<typeof ListingPolicy>;

const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.object({ type: z.literal(type), ...shape });

/** What can have happened to a profile: its toolsets, which of them is equipped, and whether it is being configured. */
export const ProfileEvent = z.discriminatedUnion("type", [
  /** `token` is a digest of what its clients show; `server` is the one that a proxy lends. */
  event("profile.opened", { policy: ListingPolicy, server: z.string().optional(), workspace: z.string(), token: z.string(), by: Actor }),
  /**
   * Built anew, built over, or with other notes. `noted`: only the notes of this tool are others; where the toolset is equipped as
   * it was before, it stays so but for them.
   */
  event("toolset.saved", { toolset: Toolset, noted: z.string().optional() }),
  event("toolset.deleted", { name: ToolsetName }),
  event("toolset.equipped", { name: ToolsetName }),
  event("toolset.unequipped", {}),
  event("configuration.entered", {}),
  event("configuration.left", {}),
  /** What is listed is another than before. */
  event("tools.changed", {}),
]);
export type ProfileEvent = z.infer<typeof ProfileEvent>;
