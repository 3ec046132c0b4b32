import { anthropic } from "./anthropic.ts";
import { bedrock } from "./bedrock.ts";
import { chat } from "./chat.ts";
import type { Format } from "./format.ts";
import { google } from "./google.ts";
import { responses } from "./responses.ts";

/** The four formats of which nearly every provider supports one, and the one with binary frames. */
export const formats: readonly Format[] = [anthropic, responses, chat, google, bedrock];

/** The daemon's environment for all of them: a key for the first four, an account for the last. */
export const keys = {
  TEST_KEY: "sk-secret-canary",
  AWS_ACCESS_KEY_ID: "AKIATEST",
  AWS_SECRET_ACCESS_KEY: "aws-secret-canary",
};
