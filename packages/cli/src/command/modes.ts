import { oneLine } from "@baton/core/text/clean";
import { hang, roomOf } from "../render/layout.ts";
import { lookNow, printJson, printLines } from "./output.ts";
import { withLink } from "./with-link.ts";

/** Lists the modes, with what each is for and which groups of tools it has. */
export async function listModes({ json = false }: { json?: boolean }): Promise<void> {
  await withLink(async ({ api }) => {
    const modes = await api.daemon.modes.query();
    if (json) return printJson({ modes, diagnostics: [] });
    const look = lookNow(process.stdout, new Map(modes.map(({ slug, hue }) => [slug, hue])));
    const { ink } = look;
    printLines(
      modes.flatMap(({ slug, description, groups }) => [
        ...hang(oneLine(description), `${ink.mode(slug)}${" ".repeat(Math.max(1, 16 - slug.length))}`, roomOf(look), {
          rest: " ".repeat(16),
        }),
        ...hang(ink.dim(groups.map(groupText).join(", ") || "no groups"), " ".repeat(16), roomOf(look)),
      ]),
    );
  });
}

type Group = string | { name: string; only?: string[] | undefined; reading?: boolean | undefined; tools?: string[] | undefined };

function groupText(group: Group): string {
  if (typeof group === "string") return group;
  const limits = [...(group.only ?? []), ...(group.reading ? ["reading only"] : []), ...(group.tools ?? [])];
  return limits.length === 0 ? group.name : `${group.name} (${limits.join(", ")})`;
}
