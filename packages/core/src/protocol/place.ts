import * as z from "zod";
import { defineEvent as event } from "./define-event.ts";
import { Actor } from "./request.ts";

/** The name of a place: short enough to type, and valid as a folder and as a part of a branch name. */
export const PlaceName = z
  .string()
  .max(60)
  .regex(/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i, "use letters, digits, dots, dashes and underscores")
  .refine((name) => !name.includes("..") && !name.endsWith(".lock"), "it cannot contain `..` or end with `.lock`");

/** Names a place in every table and file: its name and some digits, such as `fix-3f0a91c2d4e5`. */
export const PlaceId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,79}$/i)
  .brand("PlaceId");
export type PlaceId = z.infer<typeof PlaceId>;

/** Something that Baton does with git or with files for a place. Each has an intent and an outcome in the log. */
export const PlaceStep = z.enum(["create", "prepare", "save", "remove", "restore", "apply", "revert"]);
export type PlaceStep = z.infer<typeof PlaceStep>;

/** `unknown`: the daemon stopped during the step, and what it found afterwards does not prove either outcome. */
export const StepOutcome = z.enum(["succeeded", "failed", "unknown"]);
export type StepOutcome = z.infer<typeof StepOutcome>;

/**
 * Everything in a place at one moment, as git objects. `commit` has the files, tracked or not; its tree is what `git add -A` would record.
 * `index` is the tree of the staged files, null while there are merge conflicts. `ignored` is a commit of ignored files. `head` is the
 * commit that was checked out, and `branch` its branch, null if none.
 */
export const PlaceSnapshot = z.object({
  ref: z.string(),
  commit: z.string(),
  head: z.string(),
  branch: z.string().nullable(),
  index: z.string().nullable(),
  ignored: z.string().nullable(),
  /** Ignored files and folders that the snapshot leaves out, because they are large or can be built again. */
  leftOut: z.array(z.string()),
});
export type PlaceSnapshot = z.infer<typeof PlaceSnapshot>;

/** A file of the source folder before and after the changes of a place were applied to it, as hashes of blobs. Null: no file. */
export const AppliedFile = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  mode: z.number().int().optional(),
});
export type AppliedFile = z.infer<typeof AppliedFile>;

/** The events of a place. Each place is a stream of its own, which outlives its sessions and its folder. */
export const PlaceEvent = z.discriminatedUnion("type", [
  event("place.requested", {
    id: PlaceId,
    /** Identifies the command that asked for the place. The same command again asks for the same place. */
    key: z.string(),
    name: PlaceName,
    /** The folder from which the user started. Its trust, rules, grants and servers apply in the place. */
    source: z.string(),
    /** The top folder of that checkout, and the folder that all checkouts of the repository share. */
    checkout: z.string(),
    commonDir: z.string(),
    /** The folder of the place. */
    root: z.string(),
    /** The branch that the place creates or checks out. Null: none (a detached HEAD). */
    branch: z.string().nullable(),
    /** Whether Baton creates the branch. */
    ownBranch: z.boolean(),
    /** The base as the user named it, and its commit. It is written here once and never computed again. */
    base: z.string(),
    baseCommit: z.string(),
    /** Places that try the same prompt have the same group. */
    group: z.string().optional(),
    by: Actor,
  }),
  event("place.stepStarted", { step: PlaceStep, files: z.array(AppliedFile).optional(), by: Actor }),
  event("place.stepFinished", {
    step: PlaceStep,
    outcome: StepOutcome,
    message: z.string().optional(),
    snapshot: PlaceSnapshot.optional(),
    /** The files that the step changed in the source folder. */
    files: z.array(AppliedFile).optional(),
    /** The end of what the commands of a preparation printed, and the hash of the commands. */
    output: z.string().optional(),
    setup: z.string().optional(),
  }),
]);
export type PlaceEvent = z.infer<typeof PlaceEvent>;
