/** The kinds of tokens of SQL. Comments and white space are not tokens. */
export type TokenKind = "word" | "name" | "number" | "text" | "body" | "operator" | "sign";

/** A token of SQL or PL/pgSQL. */
export interface Token {
  /**
   * `word`: a keyword or unquoted name. `name`: a quoted name. `text`: a string. `body`: a dollar-quoted string.
   * `sign`: a bracket, comma, …
   */
  kind: TokenKind;
  /** As written; words in lower case. */
  text: string;
  start: number;
  end: number;
  /** The number of open brackets around it. */
  depth: number;
}

const patterns: [TokenKind, RegExp][] = [
  ["text", /e'(?:[^'\\]|\\.|'')*'/isy],
  ["text", /(?:u&|[bxn])?'(?:[^']|'')*'/isy],
  ["name", /(?:u&)?"(?:[^"]|"")*"/isy],
  ["body", /\$([a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$.*?\$\1\$/isy],
  // Not the first dot of `1..20`, a range of PL/pgSQL.
  ["number", /(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:e[+-]?\d+)?/iy],
  ["word", /[a-z_\u0080-\uffff][\w$\u0080-\uffff]*/iy],
  ["sign", /::|:=|\.\.|\$\d+|[()[\],;.:]/y],
  ["operator", /[-+*/<>=~!@#%^&|`?]+/y],
];

/** Where the white space and the comments at a position end. Comments in C style nest. */
function skipBlank(sql: string, from: number): number {
  const blank = /(?:\s+|--[^\n]*)*/y;
  blank.lastIndex = from;
  blank.test(sql);
  let at = blank.lastIndex;
  if (!sql.startsWith("/*", at)) return at;
  let open = 0;
  do {
    open += sql.startsWith("/*", at) ? 1 : sql.startsWith("*/", at) ? -1 : 0;
    at += sql.startsWith("/*", at) || sql.startsWith("*/", at) ? 2 : 1;
  } while (open > 0 && at < sql.length);
  return skipBlank(sql, at);
}

/**
 * An operator as Postgres reads it: it ends before a comment, and in + or - only if it has a character that standard
 * operators lack.
 */
function operatorOf(text: string): string {
  let operator = text.replace(/(?:--|\/\*).*$/s, "");
  while (operator.length > 1 && /[+-]$/.test(operator) && !/[~!@#%^&|`?]/.test(operator))
    operator = operator.slice(0, -1);
  return operator;
}

function readToken(sql: string, at: number): Omit<Token, "depth"> {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const found = pattern.exec(sql)?.[0];
    if (found === undefined) continue;
    const text = kind === "operator" ? operatorOf(found) : kind === "word" ? found.toLowerCase() : found;
    return { kind, text, start: at, end: at + text.length };
  }
  throw new Error(`No token of SQL at ${JSON.stringify(sql.slice(at, at + 20))}`);
}

/**
 * Reads SQL or the body of a PL/pgSQL function, by the rules of the lexer of Postgres.
 * @throws Error at a text that is not SQL
 */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = skipBlank(sql, 0); at < sql.length; at = skipBlank(sql, tokens.at(-1)!.end)) {
    const token = readToken(sql, at);
    if (token.text === ")" || token.text === "]") depth -= 1;
    tokens.push({ ...token, depth });
    if (token.text === "(" || token.text === "[") depth += 1;
  }
  return tokens;
}
