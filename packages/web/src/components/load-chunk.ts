const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
const ATTEMPTS = 4;

/**
 * Loads a part of the page. While the daemon does not answer, it tries again, because the page reconnects on its own.
 * Rejects if the daemon answers and the part still cannot be loaded, for example because another build has replaced it.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (let refused = 0, attempt = 0; ; attempt++)
    try {
      return await load();
    } catch (error) {
      if (await daemonAnswers()) refused++;
      if (refused === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS)));
      await reloadStyles();
    }
}

/** An editor's webview loads the page from files, so there the daemon does not matter. */
async function daemonAnswers(): Promise<boolean> {
  if (!location.protocol.startsWith("http")) return true;
  return fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );
}

/** Loads the style sheets again that failed. The bundler adds the styles of a part only once. */
async function reloadStyles(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].filter(({ sheet }) => sheet === null);
  await Promise.all(
    failed.map(async (link) => {
      const again = document.createElement("link");
      again.rel = "stylesheet";
      again.href = link.href;
      const ended = new Promise((resolve) => ["load", "error"].forEach((type) => again.addEventListener(type, resolve)));
      link.replaceWith(again);
      await ended;
    }),
  );
}
