import { statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ATTACHABLE = /\.(png|jpe?g|webp|gif|pdf)$/i;

/**
 * Mentions of the images and PDFs that a paste names, such as `@"/tmp/a shot.png"`. Terminals paste the path of a file that is dragged into
 * them: quoted, with backslashes, or as a file address. Undefined if the paste is anything else.
 */
export function mentionPastedFiles(pasted: string, folder: string): string | undefined {
  const paths = splitPaths(pasted.trim());
  const isShort = paths.length > 0 && paths.length <= MAX_FILES;
  return isShort && paths.every((file) => isAttachable(file, folder)) ? `${paths.map(mention).join(" ")} ` : undefined;
}

const MAX_FILES = 20;

/** `@FILE`, with quotes if the name has characters that would end the mention. */
export const mention = (file: string): string => (/^[\p{L}\p{N}_/.~+=@-]+$/u.test(file) ? `@${file}` : `@"${file}"`);

function isAttachable(file: string, folder: string): boolean {
  if (!ATTACHABLE.test(file) || file.includes('"')) return false;
  return statSync(path.resolve(folder, file.replace(/^~(?=\/)/, homedir())), { throwIfNoEntry: false })?.isFile() === true;
}

/** One path in each line, or several in a line as a shell would read them. A name with spaces may be alone on a line without quotes. */
function splitPaths(pasted: string): string[] {
  return pasted.split("\n").flatMap((line) => {
    const whole = line.trim();
    if (whole.startsWith("file://")) return whole.split(/\s+/).flatMap(pathOfAddress);
    return /^(~?\/|[A-Za-z0-9_.])/.test(whole) && /\s/.test(whole) && !/\\|['"]|\.\w+\s+[~/]/.test(whole) ? [whole] : shellWords(whole);
  });
}

const shellWords = (line: string): string[] =>
  Array.from(
    line.matchAll(/'([^']*)'|"([^"]*)"|((?:\\.|[^\s\\])+)/g),
    ([, single, double, bare]) => single ?? double ?? bare?.replaceAll(/\\(.)/g, "$1") ?? "",
  );

function pathOfAddress(address: string): string[] {
  try {
    return [fileURLToPath(address)];
  } catch {
    return [address]; // of another machine
  }
}
