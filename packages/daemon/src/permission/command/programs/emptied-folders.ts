import path from "node:path";
import { namesOfWord } from "../files/path-accesses.ts";
import { isBelow } from "../files/path-on-disk.ts";
import { trackedFiles } from "../git/git-index.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";
import { resolvePath } from "../files/physical-path.ts";

/**
 * Programs that empty the folder which they write into, with the flag in front of that folder. Behind `&` is a flag with which they do so. `*`
 * stands for any program, which may be a script of the project.
 */
const ROWS = `* --outDir | * --out-dir | * --coverage.reportsDirectory | * --coverage.reports-directory | * --reportsDirectory | * --reports-directory | playwright --output | typedoc --out | storybook -o | storybook --output-dir
  | jekyll -d | jekyll --destination | babel -d & --delete-dir-on-start | babel --out-dir & --delete-dir-on-start | tsup -d & --clean
  | tsup --out-dir & --clean`;

const EMPTYING = ROWS.split(/\s*\|\s*/).map((row) => {
  const [name = "", flag = "", , condition] = row.split(" ");
  return { name, flag, condition };
});

/** True if a call empties a folder with files that git tracks. A folder for the results of a build has none. */
export function emptiesTracked(name: string, words: readonly Word[], cwds: readonly string[]): boolean {
  if (KEEPING.test(textOfAll([literal(name), ...words]))) return false;
  const folders = EMPTYING.filter(
    (row) => (row.name === "*" || row.name === name) && (!row.condition || words.some(({ text }) => text === row.condition)),
  ).flatMap(({ flag }) =>
    words.flatMap(({ text }, i) =>
      text === flag
        ? words.slice(i + 1, i + 2)
        : text.startsWith(`${flag}=`)
          ? literal(text.slice(flag.length + 1))
          : isAttached(text, flag)
            ? literal(text.slice(2))
            : [],
    ),
  );
  const places = folders.flatMap((folder) =>
    cwds.flatMap((cwd) => namesOfWord(folder, cwd).map((name) => path.normalize(resolvePath(cwd, name)))),
  );
  return places.some((place) => trackedFiles(place)?.some((file) => isBelow(file, place)) === true);
}

/** True for a short flag with its value in the same word. */
const isAttached = (text: string, flag: string): boolean => flag.length === 2 && text.length > 2 && text.startsWith(flag);

/** A call of a compiler that keeps other files in its output folder. */
const KEEPING = /^((npx|bunx|pnpx|pnpm|yarn|bun) )?(vue-)?tsc /;
