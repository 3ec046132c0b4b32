/** Tools that a model does not get, because it is trained on others. The first match applies. Models are `provider/model` with wildcards. */
export const modelChoices: readonly { models: readonly string[]; without: readonly string[]; reason: string }[] = [
  { models: ["*/gpt-5*", "*/gpt-4.1*", "*codex*", "*/o3*", "*/o4*"], without: ["edit_file"], reason: "it is trained on apply_patch" },
  { models: ["*claude*", "*gemini*"], without: ["apply_patch"], reason: "it is trained on edit_file" },
];
