import { anthropic } from "./anthropic.ts";
import { google } from "./google.ts";
import type { ProviderKind } from "./provider-kind.ts";
import { openai, openaiChat } from "./openai.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { azure, bedrock, mistral, xai } from "./mistral-xai-azure-bedrock.ts";

/** Every kind of provider under its name in the config. */
export const providerKinds = {
  anthropic,
  openai,
  "openai-chat": openaiChat,
  "openai-compatible": openaiCompatible,
  google,
  mistral,
  xai,
  azure,
  bedrock,
} satisfies Record<string, ProviderKind>;
export type KindName = keyof typeof providerKinds;
