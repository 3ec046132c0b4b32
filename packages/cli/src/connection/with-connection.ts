import { openDaemonConnection, type DaemonConnection } from "./daemon-connection.ts";

/** Does something with a connection and closes it, whatever happens. */
export async function withConnection<T>(use: (link: DaemonConnection) => Promise<T>, client = "cli"): Promise<T> {
  const link = await openDaemonConnection({ client });
  try {
    return await use(link);
  } finally {
    await link.close();
  }
}
