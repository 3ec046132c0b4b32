import * as z from "zod";

/** Tools that keep the environment of a folder, in the order in which Baton applies them. A later one comes first on the PATH. */
export const EnvironmentTool = z.enum(["direnv", "mise", "nvm", "venv"]);
export type EnvironmentTool = z.infer<typeof EnvironmentTool>;
