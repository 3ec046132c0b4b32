import { printParseErrorCode, type ParseError } from "jsonc-parser";

/** A sentence about a JSON syntax error. */
export const jsonErrorMessage = ({ error }: ParseError): string => WORDS[printParseErrorCode(error)] ?? "This is not valid JSON";

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: "This word needs double quotes",
  InvalidNumberFormat: "This is not a number",
  PropertyNameExpected: "Expected the name of a setting in double quotes",
  ValueExpected: "A value is missing here",
  ColonExpected: "A colon is missing here",
  CommaExpected: "A comma is missing here",
  CloseBraceExpected: "A closing brace } is missing here",
  CloseBracketExpected: "A closing bracket ] is missing here",
  EndOfFileExpected: "There is text after the end of the config",
  InvalidCommentToken: "This is not a comment: write // or /* */",
  UnexpectedEndOfComment: "This comment is not closed: */ is missing",
  UnexpectedEndOfString: "This text is not closed: a double quote is missing",
  UnexpectedEndOfNumber: "This number is incomplete",
  InvalidUnicode: "\\u must be followed by four digits 0-9 or a-f",
  InvalidEscapeCharacter: "Write a backslash in a text as \\\\",
  InvalidCharacter: "This character is not allowed in a text",
};
