/**
 * A text of somebody else as it can be printed: control characters, escape sequences, line breaks and marks of text
 * direction, with which it could pretend to be another output, are shown as `\u{1b}`.
 */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
