import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { toolArguments } from "../input-schema.ts";
import { actingTool, failed, inputField, ok } from "../tool-types.ts";
import { escapeHidden } from "../result-text.ts";

export const skill = actingTool({
  ...toolFields("skill"),
  description: "Read a skill by its name from the list of skills, before the work that it is for.",
  input: toolArguments({ name: z.string().min(1) }),
  label: (input) => ({ verb: "skill", object: escapeHidden(inputField(input, "name")) }),
  access: ({ name }) => [{ action: "skill", resource: name }],
  run: async ({ name }, { ports }) => {
    const found = await ports.library.skill(name);
    const names = found ? [] : (await ports.library.skills()).map((each) => each.name);
    return found
      ? ok(`${found.text}\n\n(The files of this skill are in ${found.folder}.)`, { end: name })
      : failed(`There is no skill "${name.slice(0, 100)}". The skills are: ${names.join(", ") || "none"}.`);
  },
});
