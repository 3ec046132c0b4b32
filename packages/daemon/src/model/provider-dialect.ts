import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { TokenCounts } from "./pricing.ts";

/** How one kind of provider differs from the others. */
export type ProviderDialect = {
  /** Sent with every request. */
  options?: (request: { sessionId: string }) => SharedV4ProviderOptions;
  /** Marks the end of the part of a request that stays the same, for providers that cache only up to a mark. */
  cacheMark?: SharedV4ProviderOptions;
  /** Tools carry the mark as well. */
  marksTools?: boolean;
  /** The provider can enforce the schema of a tool. */
  takesStrict?: boolean;
  /** The reasoning that the provider wants back: signed parts, the text, or nothing. */
  reasoning: "signed" | "text" | "none";
  /** True for media types that the model cannot read. It gets a text instead. */
  cannotRead?: (mediaType: string) => boolean;
  /** True for media types that a result may contain. Without the function all may. Other images follow the result in a user message. */
  inResults?: (mediaType: string) => boolean;
  /** The provider rejects a prompt directly after a result. The model must have answered in between. */
  speaksAfterResults?: boolean;
  /** Reads the usage so far from a piece of the stream, for providers that report it before the end. */
  partialTokens?: (piece: unknown) => Partial<TokenCounts> | undefined;
  /** Replaces characters in the id of a call that the provider rejects. */
  callId?: (id: string) => string;
};
