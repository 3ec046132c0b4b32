import type { Actor, Answer, Request } from "@baton/core/protocol/request";
import { answerOrigin } from "@baton/core/text/answer-origin";
import { oneLine } from "@baton/core/text/sanitize";
import { refusalOf, errorMessage } from "@baton/core/client/errors";
import type { AnswerSeen } from "../render/transcript/call.ts";
import type { DaemonConnection } from "../connection/daemon-connection.ts";
import type { Focus } from "./request-focus.ts";
import type { Commands } from "@baton/core/client/commands";

export type AnswerTrackerOptions = { link: DaemonConnection; commands: Commands; say: (text: string) => void };

/** The answers that go out from here, and those that came from elsewhere. */
export class AnswerTracker {
  readonly #parts: AnswerTrackerOptions;
  readonly #seen = new Map<string, AnswerSeen>();
  readonly #underWay = new Set<string>();
  readonly #beside = new Map<string, Request>();

  constructor(parts: AnswerTrackerOptions) {
    this.#parts = parts;
  }

  /** Whether a request has been answered from here, or is being. */
  has(id: string): boolean {
    return this.#underWay.has(id);
  }

  seen(id: string): AnswerSeen | undefined {
    return this.#seen.get(id);
  }

  /** Somebody answered. Tells whether it was from here. */
  answered(id: string, at: number): boolean {
    const here = this.#underWay.has(id);
    this.#seen.set(id, { at, here });
    return here;
  }

  /** A request has come up. Nothing on the screen stands for one that is about no call. */
  opened(request: Request): void {
    if (!("call" in request.subject)) this.#beside.set(request.id, request);
  }

  /** What became of a request that nothing on the screen stands for, as a sentence; undefined for all others. */
  besideSaid(id: string, by: Actor, answer: Answer, here: boolean): string | undefined {
    const request = this.#beside.get(id);
    if (!request) return undefined;
    this.#beside.delete(id);
    return `${request.header} “${labelOf(answer, request)}”, ${answerOrigin(by, { reader: "terminal", here })}.`;
  }

  /** Sends an answer with what was typed towards it. Says what became of it when that is not to be seen; gives whether it counts. */
  async give(request: Request, answer: Answer, { note, rule }: Pick<Focus, "note" | "rule">): Promise<boolean> {
    const { commands, say } = this.#parts;
    this.#underWay.add(request.id);
    try {
      await commands.answer(request, {
        ...answer,
        ...(note === undefined ? {} : { note }),
        ...(rule && (answer.choice === "session" || answer.choice === "workspace") ? { rule } : {}),
      });
      return true;
    } catch (error) {
      const winner = refusalOf(error)?.winner;
      if (winner) this.#seen.set(request.id, { at: Date.now(), here: false });
      else this.#underWay.delete(request.id);
      say(
        winner
          ? `Your answer came second: this was already answered ${answerOrigin(winner.by, ANSWERED_ELSEWHERE)}, with “${winner.answer.choice ?? oneLine(winner.answer.text ?? "")}”.`
          : errorMessage(error),
      );
      return false;
    }
  }
}

/** The words of the choice that was taken, or the text that was given. */
export const labelOf = ({ choice, text }: Answer, request: Request | undefined): string =>
  request?.choices.find(({ id }) => id === choice)?.label ?? choice ?? oneLine(text ?? "");

/** For an answer that did not come from this terminal. */
export const ANSWERED_ELSEWHERE = { reader: "terminal", here: false, elsewhere: true } as const;
