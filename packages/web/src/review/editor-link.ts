/** The address that opens a file of a workspace in an editor with this scheme, at a line from 1. */
export function editorLink(scheme: string, workspace: string, path: string, line: number): string {
  const isAbsolute = /^([A-Za-z]:)?[\\/]/.test(path);
  const whole = (isAbsolute ? path : `${workspace.replace(/[\\/]$/, "")}/${path}`).replaceAll("\\", "/");
  const encoded = whole
    .split("/")
    .map(encodeURIComponent)
    .join("/")
    .replace(/^([A-Za-z])%3A/, "$1:");
  return `${scheme}://file${encoded.startsWith("/") ? "" : "/"}${encoded}:${line}`;
}

/** Whether the page comes from this machine, so that its files are here too. */
export const isLocalPage = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
