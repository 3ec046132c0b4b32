/**
 * True unless a wildcard in a path of `pattern` leaves its folder in `text`. A rule for `./scripts/*` does not allow `./scripts/../other.sh`.
 */
export function matchStaysInFolder(pattern: string, text: string): boolean {
  if (!text.includes("..")) return true;
  const folders = pattern.split(/\s+/).flatMap((word) => /^([^*?]*\/)[^/]*[*?]/.exec(word)?.[1] ?? []);
  return folders.every((folder) =>
    text.split(/\s+/).every((word) => !word.startsWith(folder) || !/(^|\/)\.\.(\/|$)/.test(word.slice(folder.length))),
  );
}
