import { omitUndefined } from "@baton/core/text/omit-undefined";
import { ModelChoice } from "@baton/core/protocol/mode";
import { FieldReader } from "../field-reader.ts";
import type { ReadContext } from "../mode-read-context.ts";

/** Values that mean the session's own model. */
const INHERIT = new Set(["inherit", "default", "auto"]);

/**
 * The model of a mode, in any of these forms: `provider/id`, a table, or the older separate fields. The address of a service in a project's
 * file is ignored, because only the user's own files decide where data is sent.
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
        "The file sets the endpoint of a model, but no model, so the endpoint is not used.",
        "Set the model as well: model: { provider, id, baseUrl }, or apiModel with apiProvider.",
      );
    return undefined;
  }
  const [named, id] = split(written, provider);
  const choice = {
    id,
    ...omitUndefined({ provider: named, temperature, topP }),
    ...(baseUrl === undefined || isForeignPlace(baseUrl, baseEntry?.at ?? at, reading) ? {} : { baseUrl }),
  };
  if (named === undefined)
    reading.report(
      at,
      "info",
      "model_without_provider",
      `The model ${written} has no provider, so the session's own model is used.`,
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
    `A project's file cannot set the address of a model (${baseUrl}).`,
    "Configure the provider in your own config.",
  );
  return true;
}
