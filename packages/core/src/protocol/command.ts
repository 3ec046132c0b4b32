import * as z from "zod";
import { Delivery, type Limits } from "./event.ts";
import { KeptImage } from "./image.ts";
import { MAX_IMAGES } from "./image-limits.ts";
import { PromptId, type RequestId } from "./ids.ts";
import { ModeSlug } from "./mode.ts";
import type { Actor, Answer, Request } from "./request.ts";

const wish = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.object({ type: z.literal(type), ...shape });

/** What a client can wish of a session that is there. */
export const ClientCommand = z.discriminatedUnion("type", [
  wish("prompt", {
    promptId: PromptId,
    text: z.string(),
    delivery: Delivery,
    mode: ModeSlug.optional(),
    model: z.string().optional(),
    stepLimit: z.number().int().positive().optional(),
    images: z.array(KeptImage).max(MAX_IMAGES).optional(),
  }),
  wish("editPrompt", { promptId: PromptId, text: z.string() }),
  wish("withdrawPrompt", { promptId: PromptId }),
  wish("resume", {}),
  wish("interrupt", {}),
  /** Asks a model that failed again at once, not at its time. */
  wish("retry", {}),
  /** `file`: what the person is looking at, a path as the workspace knows it. */
  wish("switchMode", { mode: ModeSlug, file: z.string().min(1).max(1_000).optional() }),
  /** Puts it to the coordinator which mode should go on. */
  wish("coordinate", { promptId: PromptId, reason: z.string().max(2_000).optional() }),
  wish("chooseModel", { model: z.string() }),
  /** Makes the conversation shorter: at once, or before the next step. `note` says what to keep. */
  wish("compact", { note: z.string().max(2_000).optional() }),
  wish("rename", { title: z.string().min(1).max(200) }),
  wish("archive", { archived: z.boolean() }),
  /** Takes the conversation back to before this prompt; what was done to files stays done. */
  wish("rewind", { promptId: PromptId }),
  /**
   * Takes files back to before this prompt, or before the newest turn that changed any; with `conversation` that too. `partial`
   * leaves the files that somebody else has changed since; without it, one of them stops the whole.
   */
  wish("undo", { promptId: PromptId.optional(), conversation: z.boolean(), partial: z.boolean().optional() }),
  /** Brings back what the newest undo took from files. */
  wish("redo", { partial: z.boolean().optional() }),
  wish("revokeGrant", { grantId: z.string() }),
]);
export type ClientCommand = z.infer<typeof ClientCommand>;

/** A command of a user to a session, as a client writes it: with plain strings as ids. */
export type SessionCommand = z.input<typeof ClientCommand>;

/** Everything that can be put to a session: a wish, its creation, an answer; with who it is from. */
export type Command = { by: Actor } & (
  | ClientCommand
  /** `trust` is the question whether the workspace is trusted, where nobody has said so yet. */
  | {
      type: "create";
      workspace: string;
      mode: ModeSlug;
      model?: string | undefined;
      stepLimit: number;
      limits?: Limits | undefined;
      trust?: Request | undefined;
    }
  | { type: "answer"; requestId: RequestId; answer: Answer }
);
