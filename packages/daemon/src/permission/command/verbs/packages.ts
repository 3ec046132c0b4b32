import path from "node:path";
import { entriesBelow } from "../files/walk-folder.ts";
import { textOfAll, type Word } from "../words/word.ts";

/** Words with which a package manager works in other packages of the workspace. */
const IN_PACKAGE = /^(-\w*r|-[wF]|--(ws|workspaces?|filter(-prod)?|recursive|scope)(=.*)?|workspaces?)$/;
const MAX_FOLDERS = 200;

/** True if a call works in packages of the workspace. */
export const isForPackages = (base: string, words: readonly Word[]): boolean =>
  /^(turbo|lerna)$/.test(base) || (/^(npm|pnpm|yarn|bun|vp)$/.test(base) && words.some(({ text }) => IN_PACKAGE.test(text)));

/** True if a call runs a program in packages of the workspace. The name of a package is no verb, and a test or a build gets no files. */
export const runsInPackages = (base: string, words: readonly Word[]): boolean =>
  isForPackages(base, words) &&
  !/^workspace [@\w][\w./-]* (run )?(test|build)$/.test(textOfAll(words)) &&
  words.some(
    ({ text }, i) =>
      /^(exec|x|dlx|workspaces?)$/.test(text) && !(/^pnpm$/.test(base) && /^(-F|--filter(-prod)?)$/.test(words[i - 1]?.text ?? "")),
  );

/** Returns the folders with a manifest of npm below a folder. */
export const packagesBelow = (folder: string): string[] => {
  const enters = ({ entry }: { entry: { name: string; isDirectory: () => boolean } }) =>
    entry.isDirectory() && !/^(\.|node_modules$)/.test(entry.name);
  const manifests = [...entriesBelow(folder, { maxFolders: MAX_FOLDERS, enters })].filter(({ entry }) => entry.name === "package.json");
  return manifests.map(({ file }) => path.dirname(file));
};
