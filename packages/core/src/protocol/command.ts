import * as z from "zod";
import { PromptDelivery, type Limits, type AdditionalRoot } from "./event.ts";
import { AttachmentRef } from "./attachment-ref.ts";
import { MAX_IMAGES } from "./image-limits.ts";
import { PromptId, type RequestId } from "./ids.ts";
import { ModeSlug } from "./mode.ts";
import { Rule } from "./rule.ts";
import type { Actor, RequestAnswer, Request } from "./request.ts";

const command = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.object({ type: z.literal(type), ...shape });

/** The commands of a client for an existing session. */
export const ClientCommand = z.discriminatedUnion("type", [
  command("prompt", {
    promptId: PromptId,
    text: z.string(),
    /** Set by the daemon: the slash command that `text` is expanded from. */
    slash: z.string().optional(),
    delivery: PromptDelivery,
    mode: ModeSlug.optional(),
    model: z.string().optional(),
    stepLimit: z.number().int().positive().optional(),
    images: z.array(AttachmentRef).max(MAX_IMAGES).optional(),
  }),
  command("editPrompt", { promptId: PromptId, text: z.string() }),
  command("withdrawPrompt", { promptId: PromptId }),
  command("resume", {}),
  command("interrupt", {}),
  /** Calls a failed model again now, without the wait. */
  command("retry", {}),
  /** `file`: the file that the user is looking at, as a path in the workspace. */
  command("switchMode", { mode: ModeSlug, file: z.string().min(1).max(1_000).optional() }),
  /** Asks the coordinator which mode should continue. */
  command("coordinate", { promptId: PromptId, reason: z.string().max(2_000).optional() }),
  command("chooseModel", { model: z.string() }),
  /** Compacts the conversation now or before the next step. `note`: what to keep. */
  command("compact", { note: z.string().max(2_000).optional() }),
  command("rename", { title: z.string().min(1).max(200) }),
  command("archive", { archived: z.boolean() }),
  /** Takes the conversation back to before this prompt. Changes to files remain. */
  command("rewind", { promptId: PromptId }),
  /**
   * Restores the files to before this prompt, or to before the newest turn that changed any. `conversation`: takes the conversation back
   * as well. `partial`: skips files that changed since then. Without it, one such file stops the undo. `paths`: restores only these files;
   * without a prompt, to before the first change of the session.
   */
  command("undo", {
    promptId: PromptId.optional(),
    conversation: z.boolean(),
    partial: z.boolean().optional(),
    paths: z.array(z.string()).min(1).max(1_000).optional(),
  }),
  /**
   * Takes back one hunk of a changed file, as `session.changes` shows it between the contents with the hashes `before` and `after`. `redo`
   * brings it back. It is refused if the file is no longer `after`.
   */
  command("restoreHunk", {
    path: z.string(),
    before: z.string(),
    after: z.string(),
    oldStart: z.number().int().nonnegative(),
    newStart: z.number().int().nonnegative(),
  }),
  /** Restores the changes that the newest undo took back. */
  command("redo", { partial: z.boolean().optional() }),
  /** Lets the session work in another folder besides its workspace, or only read there. The path is real and absolute. */
  command("addRoot", { path: z.string().min(1).max(4_096), readOnly: z.boolean() }),
  command("removeRoot", { path: z.string().min(1).max(4_096) }),
  /** Adds a rule to this session that no request asked about. It is revoked by the same id. */
  command("grant", { grantId: z.string().min(1).max(100), rule: Rule }),
  command("revokeGrant", { grantId: z.string() }),
]);
export type ClientCommand = z.infer<typeof ClientCommand>;

/** A client's command for a session, with plain strings as ids. */
export type SessionCommand = z.input<typeof ClientCommand>;

/** Everything that a session accepts: a client's command, its creation, or an answer, with its author. */
export type Command = { by: Actor } & (
  | ClientCommand
  /** `trust`: the question whether to trust the workspace, if the user has not answered it yet. */
  | {
      type: "create";
      workspace: string;
      mode: ModeSlug;
      model?: string | undefined;
      stepLimit: number;
      limits?: Limits | undefined;
      trust?: Request | undefined;
      /** Folders that the session may use besides the workspace. */
      roots?: readonly AdditionalRoot[] | undefined;
    }
  | { type: "answer"; requestId: RequestId; answer: RequestAnswer }
);
