import type { EmbeddingModelV4, JSONObject, LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderDialect } from "../provider-dialect.ts";

/** The address and the credentials of a provider. Absent fields use the defaults of its package. */
export type ProviderAccess = {
  name: string;
  baseUrl?: string | undefined;
  key?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** For Bedrock. */
  region?: string | undefined;
  /** For Azure. */
  resource?: string | undefined;
  apiVersion?: string | undefined;
};

/** The user's options for a provider's models, in the provider's own format. */
export type ProviderOptions = JSONObject;

/** A kind of provider: its package, loaded at the first request, and its dialect. */
export type ProviderKind = {
  load: (access: ProviderAccess, model: string) => Promise<LanguageModelV4>;
  /** Loads an embedding model. Undefined: the provider has none. */
  loadEmbedding?: (access: ProviderAccess, model: string) => Promise<EmbeddingModelV4>;
  manner: (extra: ProviderOptions, model: { id: string; reasoningBack: boolean }) => ProviderDialect;
  /** It needs no key: a local server, or a service with other credentials. */
  keyless?: true;
};

/** For providers that only take text in results. */
export const textOnly = (): boolean => false;
