import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { Message, MessageResult } from "@baton/core/session/context/build-messages";
import type { ProviderDialect } from "./provider-dialect.ts";
import { toImagePart, type StoredImage } from "./image-part.ts";
import type { ModelRequest } from "./model-port.ts";

type ResultPart = Extract<LanguageModelV4Message, { role: "tool" }>["content"][number];

/** A result for a provider, and the images that must follow it in a user message. */
type Formed = { part: ResultPart; after: StoredImage[]; of: string };

/** The results of a reply's calls. Images are inside the results if the provider allows it; otherwise they follow all results. */
export async function toProviderResults(
  { results }: Extract<Message, { role: "tool" }>,
  readBlob: ModelRequest["readBlob"],
  manner: ProviderDialect,
): Promise<LanguageModelV4Message[]> {
  const formed = await Promise.all(results.map((result) => formOf(result, readBlob, manner)));
  const after = formed.flatMap(({ after: pictures, of }) =>
    pictures.length === 0 ? [] : [{ type: "text" as const, text: `[Attached to the result of ${of}:]` }, ...pictures],
  );
  return [
    { role: "tool", content: formed.map(({ part }) => part) },
    ...(after.length === 0 ? [] : [{ role: "user" as const, content: after }]),
  ];
}

async function formOf(
  { id, tool, outcome, text, images }: MessageResult,
  readBlob: ModelRequest["readBlob"],
  manner: ProviderDialect,
): Promise<Formed> {
  const { callId = (given: string) => given, inResults = () => true } = manner;
  const shown = await toImagePart(images, readBlob, manner);
  const pictures = shown.filter((each) => each.type === "file");
  const within = pictures.filter(({ mediaType }) => inResults(mediaType));
  const after = pictures.filter(({ mediaType }) => !inResults(mediaType));
  const texts = shown.flatMap((each) => (each.type === "text" ? [each.text] : []));
  const resultText = [text, ...texts, ...(after.length === 0 ? [] : [FOLLOWS])].join("\n");
  return {
    part: { type: "tool-result", toolCallId: callId(id), toolName: tool, output: outputOf(resultText, within, outcome) },
    after,
    of: [tool, ...after.flatMap(({ filename }) => filename ?? [])].join(" "),
  };
}

const FOLLOWS = "Its images follow the results.";

function outputOf(resultText: string, pictures: readonly StoredImage[], outcome: MessageResult["outcome"]): ResultOutput {
  if (pictures.length > 0) return { type: "content", value: [{ type: "text", text: resultText }, ...pictures] };
  return { type: outcome === "ok" ? "text" : "error-text", value: resultText };
}

type ResultOutput = Extract<ResultPart, { type: "tool-result" }>["output"];
