import { useSyncExternalStore } from "react";

/** Whether the page is dark: by the choice of the user, the editor or the system. */
export const useDark = (): boolean => useSyncExternalStore(watch, isDark);

function isDark(): boolean {
  const scheme = getComputedStyle(document.body).colorScheme;
  return scheme === "dark" || (scheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches);
}

function watch(notify: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const themes = new MutationObserver(notify);
  system.addEventListener("change", notify);
  for (const element of [document.documentElement, document.body])
    themes.observe(element, { attributes: true, attributeFilter: ["class", "data-theme"] });
  return () => {
    system.removeEventListener("change", notify);
    themes.disconnect();
  };
}
