/** How the values of a file are written. */
export interface Dialect {
  delimiter: string;
  /** A backslash escapes the next character, as MySQL writes it; otherwise it is a character like any other. */
  hasEscapes: boolean;
  /** Quotes enclose values. With `mysql --batch` and `mysqldump --tab`, they are characters like any other. */
  hasQuotes: boolean;
}

/** The values of a record, and the line that it begins on. */
export interface Row {
  line: number;
  values: string[];
}

/** The file cannot be read from this line on. */
export class UnreadableFile extends Error {
  readonly line: number;

  constructor(line: number, finding: string) {
    super(finding);
    this.line = line;
  }
}

/** No export has more. A file has more if a quote is not closed, or if it is no CSV file. */
const limits = { characters: 1_000_000, values: 1_000 };

const meanings: Record<string, string> = { "0": "\0", b: "\b", n: "\n", r: "\r", t: "\t", Z: "\x1a", N: "\\N" };

/** Splits text into records. It reads each character once, whatever the parts are in which the text comes. */
export class RowReader {
  private readonly dialect: Dialect;
  private readonly plain: RegExp;
  private readonly quoted: RegExp;
  private rows: Row[] = [];
  private values: string[] = [];
  private value = "";
  private line = 1;
  private begins = 1;
  /** `closed`: after a quote that ends the value, unless another quote follows. */
  private state: "start" | "plain" | "quoted" | "closed" = "start";
  private isEscaped = false;

  constructor(dialect: Dialect) {
    const escape = dialect.hasEscapes ? "\\\\" : "";
    this.dialect = dialect;
    this.plain = new RegExp(`[^${dialect.delimiter}\n${escape}]+`, "y");
    this.quoted = new RegExp(`[^"\n${escape}]+`, "y");
  }

  /** @returns the records that end in this part of the text */
  read(text: string): Row[] {
    for (let at = 0; at < text.length;) at += this.take(text, at);
    return this.taken();
  }

  /** @returns the last record, if no line break ends it */
  end(): Row[] {
    if (this.state === "quoted") throw new UnreadableFile(this.begins, "has a value whose quotes do not match");
    if (this.values.length > 0 || this.state !== "start") this.endRow();
    return this.taken();
  }

  private taken(): Row[] {
    const rows = this.rows;
    this.rows = [];
    return rows;
  }

  /** @returns how many characters it has read */
  private take(text: string, at: number): number {
    const character = text.charAt(at);
    const { delimiter, hasEscapes, hasQuotes } = this.dialect;
    if (character === "\n") this.line += 1;
    if (this.isEscaped) {
      this.isEscaped = false;
      return this.add(meanings[character] ?? character);
    }
    if (hasEscapes && character === "\\" && this.state !== "closed") {
      this.isEscaped = true;
      if (this.state === "start") this.state = "plain";
      return 1;
    }
    if (this.state === "quoted") {
      if (character === '"') this.state = "closed";
      else this.add(character === "\n" ? character : this.run(this.quoted, text, at));
      return character === '"' || character === "\n" ? 1 : this.quoted.lastIndex - at;
    }
    if (character === delimiter) return this.endValue();
    if (character === "\n") return this.endRow();
    if (this.state === "closed") return this.afterQuote(character);
    if (character === '"' && this.state === "start" && hasQuotes) {
      this.state = "quoted";
      return 1;
    }
    this.state = "plain";
    this.add(this.run(this.plain, text, at));
    return this.plain.lastIndex - at;
  }

  private run(characters: RegExp, text: string, at: number): string {
    characters.lastIndex = at;
    return characters.exec(text)?.[0] ?? "";
  }

  private afterQuote(character: string): number {
    if (character === '"') {
      this.state = "quoted";
      return this.add(character);
    }
    if (character.trim() !== "") throw new UnreadableFile(this.begins, "has a value whose quotes do not match");
    return 1;
  }

  private add(text: string): number {
    this.value += text;
    if (this.value.length > limits.characters) {
      throw new UnreadableFile(
        this.begins,
        `has a value of more than ${limits.characters} characters: look for a quote that is not closed`,
      );
    }
    return 1;
  }

  private endValue(): number {
    if (this.values.length === limits.values)
      throw new UnreadableFile(this.begins, `has more than ${limits.values} values: this is no table of a store`);
    this.values.push(this.value);
    this.value = "";
    this.state = "start";
    return 1;
  }

  private endRow(): number {
    this.endValue();
    this.rows.push({ line: this.begins, values: this.values });
    this.values = [];
    this.begins = this.line;
    return 1;
  }
}

/** What a file shows of its dialect. */
export interface Seen {
  delimiter: string;
  /** The header begins with a quote. */
  isQuoted: boolean;
  /** Undefined if no backslash of the file shows it. */
  hasEscapes: boolean | undefined;
}

/** @param others whether a backslash escapes in other files of the same export, if this one does not show it */
export function dialectOf({ delimiter, isQuoted, hasEscapes }: Seen, others: boolean): Dialect {
  const escapes = hasEscapes ?? others;
  return { delimiter, hasEscapes: escapes, hasQuotes: !escapes || delimiter !== "\t" || isQuoted };
}

const delimiters = [",", ";", "\t"];

/**
 * Finds out how a file is written: the delimiter by its header, and by all of it whether a backslash escapes. JSON that
 * PHP writes has `\u793c` and `\/`. MySQL doubles these backslashes, and puts one before tabs, line breaks and quotes.
 */
export class DialectDetector {
  private header = "";
  private hasHeader = false;
  /** The end of a part, which the next one may continue. */
  private rest = "";
  private line = 1;
  /** The first line where a backslash escapes, where it does not, and where it stands before a quote inside a value. */
  private readonly seen = { escape: 0, plain: 0, quote: 0 };

  read(part: string): void {
    if (!this.hasHeader) this.readHeader(part);
    const text = this.rest + part;
    const length = text.length - (/\\*.{0,2}$/.exec(text)?.[0].length ?? 0);
    this.rest = text.slice(length);
    this.examine(text, length);
  }

  /** @returns what was seen, or the line on which the other way of writing begins if the file has both */
  end(): Seen | { mixedAt: number } {
    this.examine(this.rest, this.rest.length);
    const { escape, plain, quote } = this.seen;
    if (escape > 0 && plain > 0) return { mixedAt: Math.max(escape, plain) };
    const columns = (delimiter: string) => this.header.replaceAll(/"[^"]*"/g, "").split(delimiter).length;
    const delimiter = delimiters.reduce((best, other) => (columns(other) > columns(best) ? other : best));
    const isEscaped = escape > 0 || (plain === 0 && quote > 0 && delimiter !== "\t");
    return {
      delimiter,
      isQuoted: this.header.startsWith('"'),
      hasEscapes: isEscaped || (plain > 0 ? false : undefined),
    };
  }

  private readHeader(part: string): void {
    const end = part.indexOf("\n");
    this.header = (this.header + (end < 0 ? part : part.slice(0, end))).slice(0, limits.characters);
    this.hasHeader = end >= 0 || this.header.length === limits.characters;
  }

  /** Looks at the backslashes before `length`, with what follows them. */
  private examine(text: string, length: number): void {
    let counted = 0;
    const countLines = (end: number) => {
      for (let at = text.indexOf("\n", counted); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) this.line += 1;
      counted = end;
    };
    for (const match of text.slice(0, length).matchAll(/\\+/g)) {
      const end = match.index + match[0].length;
      const [isOdd, next, second] = [match[0].length % 2 === 1, text.charAt(end), text.charAt(end + 1)];
      countLines(match.index);
      if (next === "u" || next === "/") this.seen[isOdd ? "plain" : "escape"] ||= this.line;
      else if (isOdd && (next === "\n" || next === "\t")) this.seen.escape ||= this.line;
      else if (isOdd && next === '"' && !/["\s,;]|^$/.test(second)) this.seen.quote ||= this.line;
    }
    countLines(length);
  }
}
