import { omitUndefined } from "@baton/core/text/omit-undefined";
import { hash } from "node:crypto";
import { textOnly, type ProviderAccess, type ProviderKind } from "./provider-kind.ts";
import { commonSettings, embeddingSettings } from "./provider-settings.ts";
import { safeCallId } from "./mistral-call-ids.ts";

/** Services with few users. Each has its own package. */
export const mistral: ProviderKind = {
  load: async (access, model) => (await import("@ai-sdk/mistral")).createMistral(commonSettings(access))(model),
  loadEmbedding: async (access, model) =>
    (await import("@ai-sdk/mistral")).createMistral(embeddingSettings(access)).textEmbeddingModel(model),
  manner: (extra) => ({
    options: () => ({ mistral: extra }),
    inResults: textOnly,
    speaksAfterResults: true,
    reasoning: "none",
    callId: nineCharacters,
  }),
};

export const xai: ProviderKind = {
  load: async (access, model) => (await import("@ai-sdk/xai")).createXai(commonSettings(access))(model),
  manner: (extra) => ({
    options: ({ sessionId }) => ({ xai: { store: false, promptCacheKey: sessionId, ...extra } }),
    cannotRead: (mediaType) => mediaType === "application/pdf", // xAI only takes the address of a PDF
    reasoning: "signed",
    callId: safeCallId,
  }),
};

export const azure: ProviderKind = {
  load: async (access, model) => {
    const { createAzure } = await import("@ai-sdk/azure");
    return createAzure({ ...commonSettings(access), ...azureSettings(access) })(model);
  },
  loadEmbedding: async (access, model) => {
    const { createAzure } = await import("@ai-sdk/azure");
    return createAzure({ ...embeddingSettings(access), ...azureSettings(access) }).embeddingModel(model);
  },
  manner: (extra) => ({
    options: ({ sessionId }) => ({ azure: { store: false, promptCacheKey: sessionId, ...extra } }),
    reasoning: "signed",
    callId: safeCallId,
  }),
};

const azureSettings = ({ resource, apiVersion }: ProviderAccess) => omitUndefined({ resourceName: resource, apiVersion });

/** Signs with the AWS credentials in the daemon's environment, or with a key. */
export const bedrock: ProviderKind = {
  keyless: true,
  load: async (access, model) => {
    const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
    return createAmazonBedrock({ ...commonSettings(access), ...omitUndefined({ region: access.region }) })(model);
  },
  loadEmbedding: async (access, model) => {
    const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
    return createAmazonBedrock({ ...embeddingSettings(access), ...omitUndefined({ region: access.region }) }).embeddingModel(model);
  },
  manner: (extra) => ({
    options: () => ({ bedrock: extra }),
    cacheMark: { bedrock: { cachePoint: { type: "default" } } },
    reasoning: "signed",
    callId: safeCallId,
  }),
};

/** Mistral accepts ids of exactly nine letters and digits. */
const nineCharacters = (id: string): string => (/^[A-Za-z0-9]{9}$/.test(id) ? id : hash("sha256", id).slice(0, 9));
