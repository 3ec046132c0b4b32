/** Which models do without which tools, as they are trained on others. The first that fits holds; names are `provider/model` with wildcards. */
export const modelChoices: readonly { models: readonly string[]; without: readonly string[]; reason: string }[] = [
  { models: ["*/gpt-5*", "*/gpt-4.1*", "*codex*", "*/o3*", "*/o4*"], without: ["edit_file"], reason: "it is trained on apply_patch" },
  { models: ["*claude*", "*gemini*"], without: ["apply_patch"], reason: "it is trained on edit_file" },
];
