import { printParseErrorCode, type ParseError } from "jsonc-parser";

/** What is wrong with a text that is no JSON, as a sentence. */
export const jsonErrorMessage = ({ error }: ParseError): string => WORDS[printParseErrorCode(error)] ?? "This is no JSON";

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: "This word stands in no quotes",
  InvalidNumberFormat: "This is no number",
  PropertyNameExpected: "The name of a setting, in double quotes, belongs here",
  ValueExpected: "A value is missing here",
  ColonExpected: "A colon is missing here",
  CommaExpected: "A comma is missing here",
  CloseBraceExpected: "A closing brace } is missing here",
  CloseBracketExpected: "A closing bracket ] is missing here",
  EndOfFileExpected: "There is more behind the end of the config",
  InvalidCommentToken: "This is no comment: write // or /* */",
  UnexpectedEndOfComment: "This comment is not closed: */ is missing",
  UnexpectedEndOfString: "This text is not closed: a double quote is missing",
  UnexpectedEndOfNumber: "This number breaks off",
  InvalidUnicode: "After \\u belong four digits of 0 to 9 and a to f",
  InvalidEscapeCharacter: "A backslash in a text is written \\\\",
  InvalidCharacter: "This character may not stand in a text",
};
