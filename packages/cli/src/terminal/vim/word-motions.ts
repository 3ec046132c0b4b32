import { nextCharacter, previousCharacter } from "../input/input-buffer.ts";
import { isEmptyLine, isLastLine, lineEnd } from "./text.ts";

/** A cursor that walks over a text: over the characters of a line, then over its end to the next line. */
class Walker {
  readonly #text: string;
  readonly #isBig: boolean;
  at: number;

  constructor(text: string, at: number, isBig: boolean) {
    this.#text = text;
    this.at = at;
    this.#isBig = isBig;
  }

  /** Moves forward. Says whether it is now within a line, at the end of the line, or in the next line; undefined at the end of the text. */
  forward(): "within" | "end" | "next" | undefined {
    if (this.at < lineEnd(this.#text, this.at)) {
      this.at = nextCharacter(this.#text, this.at);
      return this.at < lineEnd(this.#text, this.at) ? "within" : "end";
    }
    if (this.at === this.#text.length) return undefined;
    this.at++;
    return "next";
  }

  /** Moves backward. Returns false at the start of the text. */
  backward(): boolean {
    if (this.at === 0) return false;
    this.at = previousCharacter(this.#text, this.at);
    return true;
  }

  /** The class of the character: blank, a letter of a word, or any other one. */
  kind(): "blank" | "word" | "other" {
    const character = this.#text.slice(this.at, nextCharacter(this.#text, this.at));
    if (character === "" || /^\s/.test(character)) return "blank";
    return this.#isBig || /^[\p{L}\p{N}_]/u.test(character) ? "word" : "other";
  }

  onEmptyLine(): boolean {
    return isEmptyLine(this.#text, this.at);
  }
}

/** `w`. Undefined at the last character. `hasOperator`: the last word ends with its line, as vi does it for operators. */
export function nextWord(
  text: string,
  at: number,
  count: number,
  { isBig, hasOperator }: { isBig: boolean; hasOperator: boolean },
): number | undefined {
  const walker = new Walker(text, at, isBig);
  for (let left = count; left > 0; left--) {
    const kind = walker.kind();
    const wasLastLine = isLastLine(text, walker.at);
    const moved = walker.forward();
    const leftLine = moved === "end" || moved === "next";
    if (moved === undefined || (leftLine && wasLastLine)) return hasOperator ? walker.at : undefined;
    if (leftLine && hasOperator && left === 1) return walker.at;
    if (kind !== "blank")
      while (walker.kind() === kind) {
        const step = walker.forward();
        if (step === undefined || (step !== "within" && hasOperator && left === 1)) return walker.at;
      }
    while (walker.kind() === "blank" && !walker.onEmptyLine()) {
      const isLast = isLastLine(text, walker.at);
      const step = walker.forward();
      if (step === undefined || (step !== "within" && isLast)) return walker.at;
      if (step === "end" && hasOperator && left === 1) return walker.at;
    }
  }
  return walker.at;
}

/** `e`. `stop`: a word that ends at the cursor counts, as for `cw`. */
export function wordEnd(text: string, at: number, count: number, { isBig, stop = false }: { isBig: boolean; stop?: boolean }): number {
  const walker = new Walker(text, at, isBig);
  for (let left = count; left > 0; left--) {
    const kind = walker.kind();
    if (walker.forward() === undefined) return walker.at;
    if (walker.kind() === kind && kind !== "blank") {
      if (!skip(walker, kind)) return walker.at;
    } else if (!(stop && left === count) || kind === "blank") {
      while (walker.kind() === "blank") if (walker.forward() === undefined) return walker.at;
      if (!skip(walker, walker.kind())) return walker.at;
    }
    walker.backward();
  }
  return walker.at;
}

/** Moves past all characters of a class. Returns false at the end of the text. */
function skip(walker: Walker, kind: ReturnType<Walker["kind"]>): boolean {
  while (walker.kind() === kind) if (walker.forward() === undefined) return false;
  return true;
}

/** `b`. Undefined at the start of the text. */
export function previousWord(text: string, at: number, count: number, { isBig }: { isBig: boolean }): number | undefined {
  const walker = new Walker(text, at, isBig);
  for (let left = count; left > 0; left--) {
    if (!walker.backward()) return undefined;
    while (walker.kind() === "blank" && !walker.onEmptyLine()) if (!walker.backward()) return walker.at;
    if (walker.onEmptyLine()) continue;
    const kind = walker.kind();
    while (walker.kind() === kind) if (!walker.backward()) return walker.at;
    walker.forward();
  }
  return walker.at;
}

/** `ge`. Undefined at the start of the text. */
export function previousWordEnd(text: string, at: number, count: number, { isBig }: { isBig: boolean }): number | undefined {
  const walker = new Walker(text, at, isBig);
  for (let left = count; left > 0; left--) {
    const kind = walker.kind();
    if (!walker.backward()) return undefined;
    if (kind !== "blank") while (walker.kind() === kind) if (!walker.backward()) return walker.at;
    while (walker.kind() === "blank" && !walker.onEmptyLine()) if (!walker.backward()) return walker.at;
  }
  return walker.at;
}
