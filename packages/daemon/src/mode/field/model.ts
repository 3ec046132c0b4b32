import { ModelChoice } from "@baton/core/protocol/mode";
import { FieldReader } from "../field-reader.ts";
import type { ReadContext } from "../read-context.ts";

/** Names that stand for the model that is there anyway. */
const INHERIT = new Set(["inherit", "default", "auto"]);

/**
 * The model that a mode wants, in any of the forms that are about: `provider/id`, a table, or the older fields one by
 * one. What a project says of the place of a service does not count: only the person's own files send anything anywhere.
 */
export function readModel(fields: FieldReader, reading: ReadContext): ModelChoice | undefined {
  const entry = fields.entry("model");
  const table = entry?.value.kind === "map" ? new FieldReader(entry.value, reading) : undefined;
  const of = table ?? fields;
  const written = table
    ? table.text("id", "model", "modelID")
    : (fields.text("model") ?? fields.text("apiModel", "preferredModelId", "modelId"));
  const provider = table ? table.text("provider", "providerID") : fields.text("apiProvider", "preferredProviderId", "providerId");
  const baseEntry = table ? table.entry("baseUrl") : fields.entry("apiBase");
  const baseUrl = table ? table.text("baseUrl") : fields.text("apiBase");
  const temperature = of.number("temperature") ?? fields.number("temperature");
  const topP = of.number("topP", "top_p") ?? fields.number("topP", "top_p");
  const at = entry?.value.at ?? baseEntry?.at ?? fields.at;
  if (written === undefined || INHERIT.has(written)) {
    if (baseUrl !== undefined)
      reading.warn(
        at,
        "incomplete_model",
        "The endpoint of a model is given, but no model, so the endpoint is not used.",
        "Name the model as well: model: { provider, id, baseUrl }, or apiModel with apiProvider.",
      );
    return undefined;
  }
  const [named, id] = split(written, provider);
  const choice = {
    id,
    ...(named === undefined ? {} : { provider: named }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(baseUrl === undefined || isForeignPlace(baseUrl, baseEntry?.at ?? at, reading) ? {} : { baseUrl }),
  };
  if (named === undefined)
    reading.tell(
      at,
      "info",
      "model_without_provider",
      `The model ${written} names no provider, so the session's own model is used.`,
      "Write it as provider/model.",
    );
  const parsed = ModelChoice.safeParse(choice);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  reading.error(at, "bad_value", `The model cannot be used: ${issue?.path.map(String).join(".")}: ${issue?.message}.`);
  return undefined;
}

function split(written: string, provider: string | undefined): [string | undefined, string] {
  const slash = written.indexOf("/");
  if (provider !== undefined) return [provider, written.startsWith(`${provider}/`) ? written.slice(provider.length + 1) : written];
  return slash > 0 ? [written.slice(0, slash), written.slice(slash + 1)] : [undefined, written];
}

function isForeignPlace(baseUrl: string, at: number, reading: ReadContext): boolean {
  if (reading.scope === "global") return false;
  reading.warn(
    at,
    "project_cannot_grant",
    `A project file cannot say where a model is asked (${baseUrl}).`,
    "Set the provider up in your own config.",
  );
  return true;
}
