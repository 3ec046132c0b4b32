import { anthropic } from "./anthropic.ts";
import { google } from "./google.ts";
import type { ProviderKind } from "./provider-kind.ts";
import { openai, openaiChat } from "./openai.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { azure, bedrock, mistral, xai } from "./more-providers.ts";

/** Every way to speak to models, under the name that the config calls it by. */
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
