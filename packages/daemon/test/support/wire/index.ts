import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import type { Format } from "./format.ts";
import { google } from "./google.ts";
import { responses } from "./responses.ts";

/** The four formats that nearly every provider speaks one of. */
export const formats: readonly Format[] = [anthropic, responses, chat, google];
