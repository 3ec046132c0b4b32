import * as z from "zod";
import { EnvironmentTool } from "./config/dev-environment-tool.ts";
import { CallId, RequestId, type SessionId } from "./ids.ts";
import { AccessVerdict, SourcedRule, Rule } from "./rule.ts";
import { View } from "./tool-view.ts";

export const RequestChoice = z.object({ id: z.string(), label: z.string(), description: z.string().optional() });
export type RequestChoice = z.infer<typeof RequestChoice>;

/** The question that a request about a turn asks. */
export const TurnQuestion = z.enum(["limit", "parentBudget", "dailyBudget", "coordination"]);
export type TurnQuestion = z.infer<typeof TurnQuestion>;

/**
 * The subject of a request: a call, the turn itself, the workspace (trust), a server, the hooks of a file, the host that a command wants to
 * reach, the tools of a folder, or the environment of a folder.
 */
export const RequestSubject = z.union([
  z.object({ call: CallId }),
  z.object({ turn: z.number().int() }),
  z.object({ workspace: z.string() }),
  z.object({ server: z.string() }),
  z.object({ hooks: z.string(), hashes: z.array(z.string()) }),
  z.object({ network: z.string() }),
  z.object({ tools: z.string(), hashes: z.array(z.string()) }),
  z.object({ environment: z.string(), uses: z.array(EnvironmentTool), hashes: z.array(z.string()) }),
]);
export type RequestSubject = z.infer<typeof RequestSubject>;

/** A question to the user. It is data: nothing is suspended while it is open, and any client may answer it. */
export const Request = z.object({
  id: RequestId,
  kind: z.enum(["approval", "question", "form"]),
  subject: RequestSubject,
  /** The question about a turn. Requests of earlier versions have none. */
  about: TurnQuestion.optional(),
  /** Another agent made the call through the endpoint. Requests of earlier versions do not say so. */
  external: z.literal(true).optional(),
  tool: z.string().optional(),
  input: z.unknown().optional(),
  header: z.string(),
  text: z.string(),
  /** What an approval does besides its view, one sentence each: for example that a command runs outside of the sandbox. In `text` too. */
  notes: z.array(z.string()).optional(),
  view: View.optional(),
  folder: z.string().optional(),
  choices: z.array(RequestChoice),
  /** Whether the user may answer in their own words instead of by a choice. */
  freeText: z.boolean(),
  fields: z.record(z.string(), z.unknown()).optional(),
  /** Binds the answer to what the client showed: a SHA-256 hash of tool, input and folder. */
  hash: z.string().optional(),
  /** The rule that asked. Null when no rule matched. */
  rule: SourcedRule.nullable().optional(),
  verdicts: z.array(AccessVerdict).optional(),
  /** The rule that the choices `session` and `workspace` would store. The user may edit it. */
  remember: Rule.optional(),
  openedAt: z.number(),
});
export type Request = z.infer<typeof Request>;

export const RequestAnswer = z.object({
  choice: z.string().optional(),
  text: z.string().max(100_000).optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
  hash: z.string().optional(),
  note: z.string().max(10_000).optional(),
  /** The rule to store instead of the proposed one, and its scope. `user` applies everywhere. */
  rule: Rule.extend({ scope: z.enum(["session", "workspace", "user"]).optional() }).optional(),
});
export type RequestAnswer = z.infer<typeof RequestAnswer>;

/** The user behind an action, by the name of their client such as `terminal` or `page`, or the daemon itself. */
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
