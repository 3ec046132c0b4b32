import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { EventOf } from "@baton/core/protocol/event";
import type { KeptImage } from "@baton/core/protocol/image";
import type { Api } from "../connection/daemon-connection.ts";
import { readBlob } from "@baton/core/client/blobs";
import { resultContent } from "./content.ts";

/** The pictures that a call brought, after what it said. A PDF and a picture that is not kept any more are left out. */
export async function resultImages(
  { callId, result }: EventOf<"tool.finished">,
  workspace: string,
  api: Api,
): Promise<SessionUpdate | undefined> {
  const read = await Promise.all((result.images ?? []).filter(isPicture).map((image) => contentOfImage(image, api)));
  const pictures = read.filter((each) => each !== undefined);
  if (pictures.length === 0) return undefined;
  return { sessionUpdate: "tool_call_update", toolCallId: callId, content: [...resultContent(result, workspace), ...pictures] };
}

const isPicture = ({ mediaType }: KeptImage): boolean => mediaType.startsWith("image/");

async function contentOfImage({ blob: hash, mediaType }: KeptImage, api: Api): Promise<ToolCallContent | undefined> {
  const bytes = await readBlob(api, hash).catch(() => undefined);
  return bytes && { type: "content", content: { type: "image", mimeType: mediaType, data: Buffer.concat(bytes).toString("base64") } };
}
