import type { Mode } from "@baton/core/protocol/mode";

/** Fields that are computed or written below the header. */
const UNWRITTEN = new Set(["slug", "roleDefinition", "hue", "opened", "extra"]);

/** A mode in Baton's format. Empty fields are left out, and fields of other programs come last. */
export async function modeMarkdown(mode: Mode): Promise<string> {
  const { stringify } = await import("yaml");
  const fields = Object.entries(mode).filter(
    ([key, value]) =>
      !UNWRITTEN.has(key) &&
      value !== "" &&
      !(key === "icon" && value === "circle") &&
      !(key === "whenToUse" && value === mode.description),
  );
  const header = { slug: mode.slug, ...Object.fromEntries(fields), ...mode.extra };
  return `---\n${stringify(header, { lineWidth: 120 })}---\n\n${mode.roleDefinition.trim()}\n`;
}
