import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Tokens } from "./pricing.ts";

/** How one kind of provider wants to be spoken to, beyond what all have in common. */
export type ProviderDialect = {
  /** Goes with every request. */
  options?: (request: { sessionId: string }) => SharedV4ProviderOptions;
  /** Put on the end of what stays the same from request to request, where the provider wants to be told. */
  cacheMark?: SharedV4ProviderOptions;
  /** Tools carry that mark too. */
  marksTools?: boolean;
  /** It can be held to the schema of a tool. */
  takesStrict?: boolean;
  /** Which of its own reasoning it wants back: what it signed, the text itself, or nothing. */
  reasoning: "signed" | "text" | "none";
  /** What the model cannot read, by media type: it is told that it came instead. */
  cannotRead?: (mediaType: string) => boolean;
  /** Which pictures may stand in the result of a call, by media type, where not all may: others follow it, as if the person showed them. */
  inResults?: (mediaType: string) => boolean;
  /** It takes no prompt right after a result: the model has to have said something in between. */
  speaksAfterResults?: boolean;
  /** What a piece of a stream, as it came, tells of the tokens used so far; for providers that tell it before the end. */
  told?: (piece: unknown) => Partial<Tokens> | undefined;
  /** An id of a call in letters that it takes. */
  callId?: (id: string) => string;
};
