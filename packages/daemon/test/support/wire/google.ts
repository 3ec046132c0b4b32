import * as z from "zod";
import { data, pieces, signatureOf, type Format, type WireReply } from "./format.ts";

const Inline = z.strictObject({ inlineData: z.strictObject({ mimeType: z.string(), data: z.base64().min(1) }) });
const Part = z.union([
  z.strictObject({ text: z.string(), thought: z.literal(true).optional(), thoughtSignature: z.string().optional() }),
  z.strictObject({
    functionCall: z.strictObject({ id: z.string().optional(), name: z.string(), args: z.record(z.string(), z.unknown()) }),
    thoughtSignature: z.string().optional(),
  }),
  z.strictObject({
    functionResponse: z.strictObject({
      id: z.string().optional(),
      name: z.string(),
      response: z.record(z.string(), z.unknown()),
      parts: z.array(Inline).min(1).optional(),
    }),
  }),
  Inline,
]);
const Body = z.looseObject({
  systemInstruction: z.strictObject({ parts: z.array(z.strictObject({ text: z.string() })).min(1) }),
  contents: z.array(z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(Part).min(1) })).min(1),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })) })).optional(),
});
type Content = z.infer<typeof Body>["contents"][number];

/** Google's generateContent, streamed. */
export const google: Format = {
  kind: "google",
  model: "gemini-3.1-pro-preview",
  base: "/v1beta",
  eventsOf,
  errorIn: (message) => data({ error: { code: 503, message, status: "UNAVAILABLE" } }),
  repliesIn: (body) => Body.parse(body).contents.filter(({ role }) => role === "model").length,
  faultsOf,
  refusal: (status, message) => ({ error: { code: status, message, status: "INVALID_ARGUMENT" } }),
  overflow: { status: 400, message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)." },
};

function eventsOf({ reasoning = "", text = "", calls = [], finish = "STOP" }: WireReply, k: number): string[] {
  const usageMetadata = {
    promptTokenCount: 100,
    candidatesTokenCount: 6,
    thoughtsTokenCount: 4,
    totalTokenCount: 110,
    cachedContentTokenCount: 50,
  };
  const chunk = (parts: unknown[], finishReason?: string) =>
    data({
      candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason === undefined ? {} : { finishReason }) }],
      usageMetadata,
      modelVersion: "m",
      responseId: `r${k}`,
    });
  const signed = reasoning === "" ? {} : { thoughtSignature: signatureOf(k) };
  return [
    ...pieces(reasoning).map((piece) => chunk([{ text: piece, thought: true }])),
    ...pieces(text).map((piece) => chunk([{ text: piece }])),
    ...calls.map(({ tool, input = {}, id }, i) =>
      chunk([{ functionCall: { name: tool, args: input, ...(id === undefined ? {} : { id }) }, ...(i === 0 ? signed : {}) }]),
    ),
    ...(calls.length === 0 && reasoning !== "" ? [chunk([{ text: "", ...signed }])] : []),
    ...(finish === null ? [] : [chunk([{ text: "" }], finish)]),
  ];
}

function faultsOf(body: unknown, replies: readonly WireReply[]): string[] {
  const parsed = Body.safeParse(body);
  if (!parsed.success) return [z.prettifyError(parsed.error)];
  const { contents } = parsed.data;
  const fromModel = contents.filter(({ role }) => role === "model");
  return [
    ...contents.flatMap((content, i) => faultsAt(content, contents[i + 1], i)),
    ...fromModel.flatMap((content, k) => signatureFaults(content, replies[k], k)),
  ];
}

/** Calls are answered in the next content, with the same number of responses, names and order. */
function faultsAt({ role, parts }: Content, following: Content | undefined, i: number): string[] {
  const faults = role === following?.role && role === "model" ? [`content ${i}: the model speaks twice`] : [];
  const calls = parts.flatMap((part) => ("functionCall" in part ? [part.functionCall.name] : []));
  const results = (following?.parts ?? []).flatMap((part) => ("functionResponse" in part ? [part.functionResponse.name] : []));
  if (role === "model" && calls.join(" ") !== results.join(" "))
    faults.push(`content ${i}: calls ${calls.join(" ")}, results ${results.join(" ")}`);
  return faults;
}

/** The first call of a reply returns its signature; without calls the text does. */
function signatureFaults({ parts }: Content, reply: WireReply | undefined, k: number): string[] {
  if (reply?.reasoning === undefined) return [];
  const call = parts.find((part) => "functionCall" in part);
  const signed = call ? [call] : parts;
  return signed.some((part) => "thoughtSignature" in part && part.thoughtSignature === signatureOf(k))
    ? []
    : [`reply ${k}: its signature is not there`];
}
