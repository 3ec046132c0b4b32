import path from "node:path";
import type { Word } from "../words/word.ts";

/** Flags of `docker exec` whose value is the next word. Source: `docker exec --help`, `docker compose exec --help`. */
const VALUED = /^(-[euw]|--(env|env-file|user|workdir|detach-keys|index))$/;
const SHELL = /^(ba|da|a|z)?sh$/;
/** Words in front of a command that leave it as it is. */
const PREFIX = /^((env|exec|nohup|time|sudo|command|then|do|else|if|while|until|!|xargs)|[A-Za-z_]\w*=.*)$/;

/**
 * Returns roughly the words of each command that `docker exec` runs in a container, also those in the text of a shell. Undefined if the call has another form,
 * in which it is not certain where the command begins.
 */
export function commandsInContainer(words: readonly Word[]): string[][] | undefined {
  const texts = words.map(({ text }) => text);
  const start = texts.indexOf("exec");
  if (start < 0 || texts.slice(0, start).some((text) => !/^(compose|container)$/.test(text))) return undefined;
  let at = start + 1;
  while (texts[at]?.startsWith("-") === true) at += VALUED.test(texts[at] ?? "") ? 2 : 1;
  const [program = "", ...rest] = texts.slice(at + 1);
  const code = SHELL.test(path.posix.basename(program)) ? rest.findIndex((text) => /^-\w*c$/.test(text)) : -1;
  if (code < 0) return program === "" ? [] : [[program, ...rest]];
  return (rest[code + 1] ?? "")
    .split(/[;&|\n(){}`]+/)
    .map((part) => withoutPrefix(part.split(/[\s'"$]+/).filter((text) => text !== "")))
    .filter((command) => command.length > 0);
}

function withoutPrefix(command: readonly string[]): string[] {
  const at = command.findIndex((text) => !PREFIX.test(text));
  return at < 0 ? [] : command.slice(at);
}
