import { MAX_ATTEMPTS } from "@baton/core/session/retry-policy";
import type { Config } from "./config-schema.ts";

/** The settings for retries with their defaults, in milliseconds. */
export const retrySettings = ({ attempts, firstWait, longestWait }: Config["retries"] = {}) => ({
  attempts: attempts ?? MAX_ATTEMPTS,
  firstMs: (firstWait ?? 1) * 1_000,
  longestMs: (longestWait ?? 600) * 1_000,
});
