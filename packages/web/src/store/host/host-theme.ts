import type { WebviewInitData } from "@baton/core/protocol/connection/webview-messages";

/** Follows the editor's theme: dark or light, and high contrast. */
export function followHostTheme({ body, documentElement }: Document, where: WebviewInitData["where"]): void {
  documentElement.dataset["host"] = where;
  const follow = () => {
    const kinds = body.classList;
    const contrast = kinds.contains("vscode-high-contrast") || kinds.contains("vscode-high-contrast-light");
    documentElement.dataset["theme"] = kinds.contains("vscode-light") || kinds.contains("vscode-high-contrast-light") ? "light" : "dark";
    if (contrast) documentElement.dataset["contrast"] = "more";
    else delete documentElement.dataset["contrast"];
  };
  follow();
  new MutationObserver(follow).observe(body, { attributes: true, attributeFilter: ["class"] });
}
