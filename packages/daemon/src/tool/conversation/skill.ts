import * as z from "zod";
import { toolArguments } from "../arguments.ts";
import { actingTool, failed, field, ok } from "../tool-types.ts";
import { escapeHidden } from "../result-text.ts";

export const skill = actingTool({
  name: "skill",
  action: "skill",
  description: "Read a skill by its name, as the list of skills has it, before work that it is for.",
  input: toolArguments({ name: z.string().min(1) }),
  label: (input) => ({ verb: "skill", object: escapeHidden(field(input, "name")) }),
  access: ({ name }) => [{ action: "skill", resource: name }],
  replay: "safe",
  quick: true,
  run: async ({ name }, { ports }) => {
    const found = await ports.library.skill(name);
    const names = found ? [] : (await ports.library.skills()).map((each) => each.name);
    return found
      ? ok(`${found.text}\n\n(Files of this skill lie in ${found.folder}.)`, { end: name })
      : failed(`There is no skill "${name.slice(0, 100)}". The skills are: ${names.join(", ") || "none"}.`);
  },
});
