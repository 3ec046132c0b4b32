/** The sentences of a Markdown text: paragraphs, list items and table cells, without code blocks and headings. */
export function markdownSentences(text: string): string[] {
  const prose = text.replaceAll(/^(```|~~~)[^]*?^\1.*$/gm, "\n").replaceAll(/<!--[^]*?-->/g, "");
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)|\n(?=\|)/);
  return blocks
    .filter((block) => !/^\s*#/.test(block) && !/^\s*\|[\s|:-]+\|?$/.test(block))
    .flatMap((block) => (/^\s*\|/.test(block) ? block.split(/(?<!\\)\|/) : [block]))
    .flatMap(sentencesIn);
}

/** The sentences in the comments of a source file. */
export function commentSentences(source: string): string[] {
  const blocks = Array.from(source.matchAll(/\/\*\*([^]*?)\*\//g), ([, body = ""]) => body.replaceAll(/^\s*\*\s?/gm, ""));
  const lines = Array.from(source.matchAll(/(?:^|\s)\/\/ (.*)$/gm), ([, body = ""]) => body);
  return [...blocks, ...lines].flatMap(sentencesIn);
}

/** The sentences in the texts of a source file that look like prose: with four words and an end, or a summary of a command. */
export function textSentences(source: string): string[] {
  const texts = Array.from(
    source.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g),
    ([, quoted, template]) => quoted ?? template ?? "",
  );
  return texts.filter((text) => /^[A-Z"'$`].*\s.*\s.*\s.*[.?!]$/.test(text)).flatMap(sentencesIn);
}

/** Splits a text. Code, links and emphasis count as the words that they show. */
function sentencesIn(text: string): string[] {
  const plain = text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/`[^`\n]*`/g, "CODE")
    .replaceAll(/^\s*(?:[-*+]|\d+\.)\s+/gm, "")
    .replaceAll(/[*_]{1,2}(\S[^*_]*)[*_]{1,2}/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
  return plain
    .split(/(?<=[.?!:])\s+(?=[A-Z"“`])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => wordCount(sentence) >= 3);
}

export const wordCount = (sentence: string): number => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

const IRREGULAR =
  "begun bound broken built bought caught chosen cut done drawn found given gone held hidden kept known laid left lent lost made meant met paid put read said seen sent set shown split stood taken told thrown understood written";
const PARTICIPLE = `(?:\\w+ed|${IRREGULAR.split(" ").join("|")})`;
const PASSIVE = new RegExp(
  `\\b(?:is|are|was|were|be|been|being|gets?)\\s+(?:(?:not|never|also|only|always|still|then|once|\\w+ly)\\s+){0,2}${PARTICIPLE}\\b`,
  "i",
);

/** Recognizes a form of "be" with a participle. It also counts a few adjectives, such as "is trusted". */
export const isPassive = (sentence: string): boolean => PASSIVE.test(sentence);
