import { openLink, type Link } from "./daemon-connection.ts";

/** Does something with a connection and closes it, whatever happens. */
export async function withLink<T>(use: (link: Link) => Promise<T>, client = "cli"): Promise<T> {
  const link = await openLink({ client });
  try {
    return await use(link);
  } finally {
    await link.close();
  }
}
