import * as z from "zod";
import { CallId, RequestId, type SessionId } from "./ids.ts";
import { AccessVerdict, PlacedRule, Rule } from "./rule.ts";
import { View } from "./view.ts";

export const Choice = z.object({ id: z.string(), label: z.string(), description: z.string().optional() });
export type Choice = z.infer<typeof Choice>;

/** The subject of a request: a call, the turn (limits, loop guards), the workspace (trust) or a server (elicitation). */
export const Subject = z.union([
  z.object({ call: CallId }),
  z.object({ turn: z.number().int() }),
  z.object({ workspace: z.string() }),
  z.object({ server: z.string() }),
]);
export type Subject = z.infer<typeof Subject>;

/** A question that waits for the user. It is data: nothing is suspended meanwhile, and any client may answer. */
export const Request = z.object({
  id: RequestId,
  kind: z.enum(["approval", "question", "form"]),
  subject: Subject,
  tool: z.string().optional(),
  input: z.unknown().optional(),
  header: z.string(),
  text: z.string(),
  view: View.optional(),
  folder: z.string().optional(),
  choices: z.array(Choice),
  /** True if the user may answer in their own words instead of by a choice. */
  freeText: z.boolean(),
  fields: z.record(z.string(), z.unknown()).optional(),
  /** The sha256 of tool, input and folder. It ties the answer to what the user saw. */
  hash: z.string().optional(),
  /** The rule that asked. Null if no rule matched. */
  rule: PlacedRule.nullable().optional(),
  verdicts: z.array(AccessVerdict).optional(),
  /** The rule that the choices `session` and `workspace` would remember. The user may edit it. */
  remember: Rule.optional(),
  openedAt: z.number(),
});
export type Request = z.infer<typeof Request>;

export const Answer = z.object({
  choice: z.string().optional(),
  text: z.string().max(100_000).optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
  hash: z.string().optional(),
  note: z.string().max(10_000).optional(),
  /** The rule to remember instead of the proposed one, and its scope. `user` means everywhere. */
  rule: Rule.extend({ scope: z.enum(["session", "workspace", "user"]).optional() }).optional(),
});
export type Answer = z.infer<typeof Answer>;

/** The author of an event. `person` is the kind of client, such as `terminal`, `page`, `editor` or `run`. */
export const Actor = z.union([z.object({ person: z.string() }), z.object({ daemon: z.literal(true) })]);
export type Actor = z.infer<typeof Actor>;

/**
 * An open request, with the session that it belongs to. `rootSessionId` is the session that the user started; `window` is the
 * open window of an editor that shows the request.
 */
export type InboxItem = Request & {
  sessionId: SessionId;
  rootSessionId: SessionId;
  mode: string;
  workspace: string;
  title: string;
  window?: string | undefined;
};
