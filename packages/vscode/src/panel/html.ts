import type { WebviewInitData } from "@baton/core/protocol/connection/webview-messages";

/** The address of the built page, and the source that its content security policy allows. */
export type WebviewResources = { base: string; source: string };

/** The HTML of the page for a webview, with webview addresses and a content security policy. */
export function pageHtml(index: string, { base, source }: WebviewResources, hosted: WebviewInitData): string {
  const policy = [
    "default-src 'none'",
    `script-src ${source}`,
    `style-src ${source} 'unsafe-inline'`, // the editor adds inline styles to each webview
    `font-src ${source}`,
    `img-src ${source} data: blob:`,
    "form-action 'none'",
  ].join("; ");
  return index
    .replace(/<link rel="icon"[^>]*>/, "")
    .replace(
      '<meta charset="utf-8" />',
      `<meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="${escaped(policy)}" /><meta name="baton-host" content="${escaped(JSON.stringify(hosted))}" />`,
    )
    .replaceAll(/(src|href)="\.\//g, `$1="${escaped(base)}/`);
}

/** A command of the editor that may fix an error. */
export type ErrorAction = { label: string; command: string; args?: unknown };

/** The HTML shown without a daemon: the problem and actions, the most likely one first. */
export function errorHtml(problem: string, actions: readonly ErrorAction[]): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="${policy}" /><style>${FAULT_STYLE}</style></head>
<body><main><h1>Baton's daemon does not run</h1><p>${withCode(problem)}</p>${actions.map(linkTo).join("")}</main></body></html>`;
}

const linkTo = ({ label, command, args }: ErrorAction): string => {
  const query = args === undefined ? "" : `?${encodeURIComponent(JSON.stringify(args))}`;
  return `<a href="command:${escaped(command + query)}">${escaped(label)}</a>`;
};

/** Text between backticks becomes code. */
const withCode = (text: string): string => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");

const FAULT_STYLE = `
main { display: grid; gap: 12px; max-width: 26rem; margin: 24px auto; overflow-wrap: anywhere }
h1 { font-size: 1.25em; margin: 0 } p { margin: 0; line-height: 1.5 }
a { padding: 5px 11px; border: 1px solid var(--vscode-button-border, transparent); border-radius: 2px; text-align: center; text-decoration: none; background: var(--vscode-button-secondaryBackground); color: var(--vscode-button-secondaryForeground) }
a:first-of-type { background: var(--vscode-button-background); color: var(--vscode-button-foreground) }
a:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px }`;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter] ?? "&quot;");
