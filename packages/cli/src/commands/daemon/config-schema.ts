import { printJson } from "../output.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

/** Prints the JSON Schema of config.jsonc. */
export async function printSchema(): Promise<void> {
  await withConnection(async ({ api }) => printJson(await api.daemon.configSchema.query()));
}
