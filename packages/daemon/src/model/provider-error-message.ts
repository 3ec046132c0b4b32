import type { ModelFault } from "@baton/core/protocol/event";

/** The readable message in a provider's error, in one line. The body is JSON in one of the usual shapes, or text. */
export function providerErrorMessage(body: unknown): string | undefined {
  const message = typeof body === "string" ? messageInText(body) : messageInData(body);
  const line = message?.replaceAll(/\s+/g, " ").trim();
  return line ? line.slice(0, 300).replace(/[.\s]+$/, "") : undefined;
}

function messageInText(text: string): string | undefined {
  try {
    return messageInData(JSON.parse(text)) ?? text;
  } catch {
    return text.trimStart().startsWith("<") ? titleOf(text) : text;
  }
}

/** The title of an error page of a proxy or a site. */
const titleOf = (page: string): string | undefined => /<(title|h1)[^>]*>([^<]+)</i.exec(page)?.[2];

/** Reads `{error: {message}}`, `{error: "..."}`, `{message}`, `{detail}`, a list of these, and OpenRouter's `metadata.raw`. */
function messageInData(data: unknown): string | undefined {
  if (typeof data === "string") return data;
  if (Array.isArray(data)) return messageInData(data[0]);
  if (typeof data !== "object" || data === null) return undefined;
  const { error, message, detail, metadata, data: inner, msg, response } = data as Record<string, unknown>;
  const raw = typeof metadata === "object" && metadata !== null && "raw" in metadata ? metadata.raw : undefined;
  if (typeof raw === "string" && raw !== "") return messageInText(raw);
  return (
    messageInData(error) ??
    (typeof message === "string" && message !== "" ? message : undefined) ??
    messageInData(detail) ??
    messageInData(msg) ??
    messageInData(inner) ??
    messageInResponse(response)
  );
}

/** The error in OpenAI's `response.failed`. Other fields named `response` may hold the answer itself. */
const messageInResponse = (response: unknown): string | undefined =>
  typeof response === "object" && response !== null && "error" in response ? messageInData(response.error) : undefined;

/** True if the provider says that the request was too long. Each provider has its own wording. */
export const isOverflow = (message: string, status: number): boolean => status === 413 || OVERFLOWS.some((words) => words.test(message));

/** True if an error is about an attachment: it is too large or damaged, has a wrong format, or the model cannot read it. */
export const isAboutImage = (message: string, code: ModelFault): boolean =>
  code === "bad_request"
    ? ABOUT_IMAGES.test(message)
    : (code === "not_found" || code === "overloaded") && ABOUT_IMAGES.test(message) && /support|mmproj/i.test(message);

const ABOUT_IMAGES = /\b(images?|image_url|pictures?|pdf|documents?|media[ _]type|mime[ _]type|multimodal|vision)\b/i;

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
