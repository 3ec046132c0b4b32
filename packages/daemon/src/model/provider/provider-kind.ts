import type { JSONObject, LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderDialect } from "../provider-dialect.ts";
import { boundedFetch } from "./bounded-fetch.ts";

/** Where a provider is and who asks. What is absent is the provider package's own usual place. */
export type Access = {
  name: string;
  baseUrl?: string | undefined;
  key?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** Of Bedrock. */
  region?: string | undefined;
  /** Of Azure. */
  resource?: string | undefined;
  apiVersion?: string | undefined;
};

/** What a person set for a provider's models beyond that, in the provider's own words. */
export type Extra = JSONObject;

/** One way to speak to models: its package, loaded at the first request, and its manner. */
export type ProviderKind = {
  load: (access: Access, model: string) => Promise<LanguageModelV4>;
  manner: (extra: Extra, model: { id: string; reasoningBack: boolean }) => ProviderDialect;
  /** It can be used without a key of ours: a local server, or a service that signs in another way. */
  keyless?: true;
};

/** For those that take text only in the result of a call. */
export const textOnly = (): boolean => false;

/** The settings that all provider packages have in common. */
export const commonSettings = ({ baseUrl, key, headers }: Access) => ({
  ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  ...(key === undefined ? {} : { apiKey: key }),
  ...(headers === undefined ? {} : { headers }),
  fetch: boundedFetch,
});
