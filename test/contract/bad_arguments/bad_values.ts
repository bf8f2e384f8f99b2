const LONG_TEXT = "长 text ".repeat(12_000);
const DEEP_LIST = JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`) as unknown;
const DEEP_OBJECT = JSON.parse(`${'{"a":'.repeat(1_000)}1${"}".repeat(1_000)}`) as unknown;

/** A JSON number that JavaScript cannot represent. It is written unchanged. */
class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return `raw ${this.text}`;
  }
}

/** JSON values that a client could send instead of the expected one. */
export const BAD_JSON: unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  -0.00001,
  32_768,
  2_147_483_648,
  new RawJson("9223372036854775807"),
  new RawJson("9223372036854775808"),
  new RawJson("1e30"),
  new RawJson("1e-30"),
  new RawJson("1e4000"),
  "",
  " ",
  "0",
  "-1",
  "1",
  "1.5",
  "12abc",
  "99999999999999999999",
  "1e400",
  "NaN",
  "Infinity",
  "null",
  "true",
  "'",
  "\\",
  "\u0001",
  "😀",
  "infinity",
  "-infinity",
  "0000-00-00",
  "4713-01-01 BC",
  "294276-12-31",
  "2026-02-30",
  "2026-01-01T00:00:00Z_9999999999999999999",
  "00000000-0000-0000-0000-000000000000",
  LONG_TEXT,
  [],
  [null],
  [1],
  [[]],
  {},
  { a: 1 },
  { quantity: null },
  DEEP_LIST,
  DEEP_OBJECT,
];

/** Literals that are valid for the type of a parameter, but not for the function. */
export const BAD_LITERALS: Record<string, (string | null)[]> = {
  bigint: [null, "-9223372036854775808", "-1", "0", "999999999", "9223372036854775807"],
  integer: [null, "-2147483648", "-1", "0", "1001", "2147483647"],
  numeric: [null, "-1", "0", "NaN", "Infinity", "1e100", "0.001"],
  smallint: [null, "-32768", "-1", "0", "101", "32767"],
  boolean: [null, "true", "false"],
  text: [null, "", " ", "'", "\u0001", "unknown", LONG_TEXT],
  uuid: [null, "00000000-0000-0000-0000-000000000000"],
  date: [null, "-infinity", "4713-01-01 BC", "0001-01-01", "9999-12-31", "5874897-12-31", "infinity"],
  "timestamp with time zone": [
    null,
    "-infinity",
    "4713-01-01 BC",
    "0001-01-01",
    "9999-12-31",
    "294276-12-31",
    "infinity",
  ],
};

/** Serializes a value as JSON, including raw numbers. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(/"raw ([^"]+)"/g, "$1");
}

/**
 * Variants of a JSON value. In each, one part at any depth is replaced by a bad value or removed, or has an unknown
 * sibling.
 */
export function* brokenCopies(value: unknown): Generator {
  yield* BAD_JSON;
  if (Array.isArray(value)) {
    yield [...value, ...value];
    yield Array.from({ length: 200 }, () => value[0]);
    for (const [index, part] of value.entries()) {
      for (const broken of brokenCopies(part)) yield value.with(index, broken);
    }
  } else if (typeof value === "object" && value !== null) {
    yield { ...value, unknown_key: 1 };
    for (const [key, part] of Object.entries(value)) {
      const { [key]: _, ...others } = value as Record<string, unknown>;
      yield others;
      for (const broken of brokenCopies(part)) yield { ...value, [key]: broken };
    }
  }
}
