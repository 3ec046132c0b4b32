import path from "node:path";
import { statOf } from "../../disk-view.ts";
import { nameMatcher } from "../tables/name-matcher.ts";
import { literal, type Word } from "../words/word.ts";
import { namesOfWord } from "./path-accesses.ts";
import { attempt } from "./path-on-disk.ts";
import { resolvePath } from "./physical-path.ts";

const worksElsewhere =
  nameMatcher(`npm pnpm yarn bun vp make gmake uv poetry pdm cargo go ninja composer turbo meson terraform tofu just task mvn mvnw gradle
  gradlew rake docker docker-compose podman podman-compose latexmk ansible-playbook helm dbt mkdocs dotnet tflint`);
/** Flags for the folder in which a program works. */
const FOLDER = /^(-C|--?chdir|-pl|--(cwd|prefix|dir|directory|projects|project-dir|project-directory|working-dir|working-directory))(=|$)/;
/** Short flags of some programs for such a folder. */
const ENTERS = /^(gradlew? -p|mvnw? -f|(task|composer|just) -d|uv --project|dotnet (-p|--project))$/;
/** Flags for a file of settings. A program may take paths in its arguments from the folder of that file. */
const SETTINGS = /^(-[fpd]|--(file|manifest-path|project|justfile|makefile))(=|$)/;

/** True if a word is the folder in which a program works, as `web` in `npm --prefix web test`. */
export const isCallFolder = (name: string, words: readonly Word[], i: number): boolean =>
  worksElsewhere(name) &&
  (FOLDER.test(words[i - 1]?.text ?? "") ||
    ENTERS.test(`${name} ${words[i - 1]?.text}`) ||
    (FOLDER.test(words[i]?.text ?? "") && words[i]?.text.includes("=") === true));

/** Returns the folders in which a call may work because of its flags. */
export const callFolders = (name: string, words: readonly Word[], cwds: readonly string[]): string[] =>
  !worksElsewhere(name)
    ? []
    : words.flatMap(({ text }, i) => {
        const [value] = !(FOLDER.test(text) || SETTINGS.test(text))
          ? []
          : text.includes("=")
            ? [literal(text.replace(/^[^=]*=/, ""))]
            : words.slice(i + 1);
        if (value === undefined) return [];
        return cwds.flatMap((cwd) => namesOfWord(value, cwd).map((each) => resolvePath(cwd, each))).flatMap(folderAt);
      });

function folderAt(place: string): string[] {
  const there = attempt(() => statOf(place));
  return there === undefined ? [] : [there.isDirectory() ? place : path.dirname(place)];
}
