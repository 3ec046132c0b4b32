import type { ModelFault } from "@baton/core/protocol/event";

/** The sentence for people in what a provider sent instead of an answer: JSON in one of the usual shapes, or text; one line. */
export function providerErrorMessage(body: unknown): string | undefined {
  const said = typeof body === "string" ? inText(body) : inData(body);
  const line = said?.replaceAll(/\s+/g, " ").trim();
  return line ? line.slice(0, 300).replace(/[.\s]+$/, "") : undefined;
}

function inText(text: string): string | undefined {
  try {
    return inData(JSON.parse(text)) ?? text;
  } catch {
    return text.trimStart().startsWith("<") ? titleOf(text) : text;
  }
}

/** What a page of a proxy or of a site is called; the rest of it says nothing in a line. */
const titleOf = (page: string): string | undefined => /<(title|h1)[^>]*>([^<]+)</i.exec(page)?.[2];

/** `{error: {message}}`, `{error: "..."}`, `{message}`, `{detail}`, a list of one of them; what OpenRouter wraps in `metadata.raw`. */
function inData(data: unknown): string | undefined {
  if (typeof data === "string") return data;
  if (Array.isArray(data)) return inData(data[0]);
  if (typeof data !== "object" || data === null) return undefined;
  const { error, message, detail, metadata, data: inner, msg, response } = data as Record<string, unknown>;
  const raw = typeof metadata === "object" && metadata !== null && "raw" in metadata ? metadata.raw : undefined;
  if (typeof raw === "string" && raw !== "") return inText(raw);
  return (
    inData(error) ??
    (typeof message === "string" && message !== "" ? message : undefined) ??
    inData(detail) ??
    inData(msg) ??
    inData(inner) ??
    inError(response)
  );
}

/** `response.failed` of OpenAI; another `response` may hold the answer itself. */
const inError = (response: unknown): string | undefined =>
  typeof response === "object" && response !== null && "error" in response ? inData(response.error) : undefined;

/** Whether a provider says that the request was too long for the model. Each says it in its own words. */
export const isOverflow = (said: string, status: number): boolean => status === 413 || OVERFLOWS.some((words) => words.test(said));

/** Whether a refusal is about something to look at: too large, damaged, of a wrong format, or nothing that the model can see at all. */
export const isAboutImage = (said: string, code: ModelFault): boolean =>
  code === "bad_request"
    ? SEEN.test(said)
    : (code === "not_found" || code === "overloaded") && SEEN.test(said) && /support|mmproj/i.test(said);

const SEEN = /\b(images?|image_url|pictures?|pdf|documents?|media[ _]type|mime[ _]type|multimodal|vision)\b/i;

const OVERFLOWS = [
  /prompt is too long/i, // Anthropic
  /input length and `?max_tokens`? exceed/i,
  /request_too_large|request too large/i,
  /context_length_exceeded|maximum context length|exceeds the context window|context window/i, // OpenAI, vLLM
  /input token count.*exceeds/i, // Google
  /exceeds? the (available )?context size|exceed_context_size|context (size|length|limit)/i, // llama.cpp, LM Studio
  /too many (input )?tokens|input is too long|prompt (is )?too (long|large)|too large for model/i, // Bedrock, Mistral, Groq
  /maximum prompt length/i, // xAI
  /truncat.*context|reduce the length of the (messages|prompt|input)/i,
];
