import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { Actor, RequestAnswer, Request } from "@baton/core/protocol/request";
import { answerOrigin } from "@baton/core/text/request/answer-origin";
import { oneLine } from "@baton/core/text/sanitize";
import { refusalOf, errorMessage } from "@baton/core/client/rpc-errors";
import type { AnswerNote } from "../render/transcript/call.ts";
import type { DaemonConnection } from "../connection/daemon-connection.ts";
import type { Focus } from "./request-focus.ts";
import type { Commands } from "@baton/core/client/command-client";

type AnswerTrackerOptions = { link: DaemonConnection; commands: Commands; notify: (text: string) => void };

/** Sends answers from this client, and tracks answers of other clients. */
export class RequestAnswers {
  readonly #parts: AnswerTrackerOptions;
  readonly #seen = new Map<string, AnswerNote>();
  readonly #underWay = new Set<string>();
  readonly #beside = new Map<string, Request>();

  constructor(parts: AnswerTrackerOptions) {
    this.#parts = parts;
  }

  /** Whether this client has answered the request, or is answering it. */
  has(id: string): boolean {
    return this.#underWay.has(id);
  }

  seen(id: string): AnswerNote | undefined {
    return this.#seen.get(id);
  }

  /** Records an answer. Returns whether this client gave it. */
  answered(id: string, at: number): boolean {
    const here = this.#underWay.has(id);
    this.#seen.set(id, { at, here });
    return here;
  }

  /** Records a request. One that is not about a call has no entry in the transcript. */
  opened(request: Request): void {
    if (!("call" in request.subject)) this.#beside.set(request.id, request);
  }

  /** A sentence about an answer that has no entry in the transcript. Undefined for other requests. */
  describeAnswer(id: string, by: Actor, answer: RequestAnswer, here: boolean): string | undefined {
    const request = this.#beside.get(id);
    if (!request) return undefined;
    this.#beside.delete(id);
    return `${request.header} “${answerLabel(answer, request)}”, ${answerOrigin(by, { reader: "terminal", here })}.`;
  }

  /** Sends an answer with its note and rule. Returns false and prints the reason if the answer does not count. */
  async give(request: Request, answer: RequestAnswer, { note, rule }: Pick<Focus, "note" | "rule">): Promise<boolean> {
    const { commands, notify } = this.#parts;
    this.#underWay.add(request.id);
    try {
      await commands.answer(request, {
        ...answer,
        ...omitUndefined({ note }),
        ...(rule && (answer.choice === "session" || answer.choice === "workspace") ? { rule } : {}),
      });
      return true;
    } catch (error) {
      const winner = refusalOf(error)?.winner;
      if (winner) this.#seen.set(request.id, { at: Date.now(), here: false });
      else this.#underWay.delete(request.id);
      notify(
        winner
          ? `Your answer was second: the request was already answered ${answerOrigin(winner.by, FROM_OTHER_CLIENT)}, with “${winner.answer.choice ?? oneLine(winner.answer.text ?? "")}”.`
          : errorMessage(error),
      );
      return false;
    }
  }
}

/** The label of the chosen choice, or the text of the answer. */
export const answerLabel = ({ choice, text }: RequestAnswer, request: Request | undefined): string =>
  request?.choices.find(({ id }) => id === choice)?.label ?? choice ?? oneLine(text ?? "");

/** For an answer that another client gave. */
export const FROM_OTHER_CLIENT = { reader: "terminal", here: false, elsewhere: true } as const;
