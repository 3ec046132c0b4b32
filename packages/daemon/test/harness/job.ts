import type { ModelRequestSeen, Reply } from "../support/model-server.ts";

/**
 * The model's replies for a job: two commands with an outside effect, reads in between, a command that the user has to allow, the end.
 * Each effect is a separate line, `<job>.<step>`, so that a repetition is visible.
 */
export const jobDialogue =
  (effects: string) =>
  ({ messages }: ModelRequestSeen): Reply => {
    const asked = messages.findLastIndex((message) => message.role === "user");
    const job = /job ([\w-]+)/.exec(JSON.stringify(messages[asked]))?.[1] ?? "none";
    const step = messages.slice(asked).filter((message) => message.role === "assistant").length;
    const effect = { tool: "run_command", input: { command: `echo ${job}.${step} >> ${effects}` } };
    switch (step) {
      case 0:
        return { text: "I begin.", calls: [effect] };
      case 1:
        return {
          calls: [
            { tool: "read_file", input: { path: "notes.txt" } },
            { tool: "list_files", input: { path: "." } },
          ],
        };
      case 2:
        return { text: "Once more.", calls: [effect, { tool: "read_file", input: { path: "notes.txt" } }] };
      case 3:
        return { calls: [{ tool: "run_command", input: { command: `printf '%s\\n' ${job}.asked >> ${effects}` } }] };
      default:
        return { text: "Done." };
    }
  };

/** Effects on the files of the harness need no approval; everything else asks. */
export const jobRules = (effects: string) => [
  { action: "command", resource: "echo *", effect: "allow" },
  { action: "edit", resource: effects, effect: "allow" },
  { action: "external_directory", resource: "*", effect: "allow" },
];
