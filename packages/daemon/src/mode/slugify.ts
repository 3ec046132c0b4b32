import { MAX_SLUG } from "@baton/core/protocol/mode";

/** Converts a name to a slug: `team/Code Review` becomes `team-code-review`. */
export function slugify(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, MAX_SLUG)
    .replace(/-+$/, "");
  return plain || "mode";
}
