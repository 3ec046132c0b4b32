import { defined } from "@baton/core/text/defined";
import type { EmbeddingModelV4, JSONObject, LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderDialect } from "../provider-dialect.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { sizeLimitedFetch } from "./size-limited-fetch.ts";

/** The address and the credentials of a provider. Absent fields use the defaults of its package. */
export type Access = {
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
export type Extra = JSONObject;

/** A kind of provider: its package, loaded at the first request, and its dialect. */
export type ProviderKind = {
  load: (access: Access, model: string) => Promise<LanguageModelV4>;
  /** Loads an embedding model. Undefined: the provider has none. */
  loadEmbedding?: (access: Access, model: string) => Promise<EmbeddingModelV4>;
  manner: (extra: Extra, model: { id: string; reasoningBack: boolean }) => ProviderDialect;
  /** It needs no key: a local server, or a service with other credentials. */
  keyless?: true;
};

/** For providers that only take text in results. */
export const textOnly = (): boolean => false;

/** The settings that all provider packages share. */
export const commonSettings = ({ baseUrl, key, headers }: Access) => ({
  ...defined({ baseURL: baseUrl, apiKey: key, headers }),
  fetch: boundedFetch,
});

/** The same for answers that are one JSON text. */
export const embeddingSettings = (access: Access) => ({ ...commonSettings(access), fetch: sizeLimitedFetch });
