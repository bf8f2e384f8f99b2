import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { link, visibleText, webAddress } from "../../functions/_shared/resources/schemas.ts";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";

let clone: ClonedDatabase;
let sql: ReturnType<typeof connect>;

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
});
afterAll(async () => {
  await sql?.end();
  await clone?.drop();
});

const odd = [
  "",
  " ",
  "\t",
  "\r\n",
  "\u200b",
  "\u00a0\u3000",
  "\u202e",
  "\u202eabc",
  "\ufeff",
  "\u{E0041}",
  "a\u200bb",
  "a\u2064b",
  "a\ufeffb",
  "a\ufff9b",
  "a\ufe0fb",
  "a\u200db",
  "陈静",
  "👩‍👩‍👧",
  "\u2800",
  "\u3164",
  "\u180f",
  "\ufffe",
  "\u{1d173}",
  "\u{1d159}",
  "\u{1bca0}",
  "\u{13430}",
  "https://a.example/\u{e0001}",
  "https://a.example/\ufff9",
  "https://a.example/\u180e",
  "javascript:alert(1)",
  "java\tscript:alert(1)",
  "java\nscript:alert(1)",
  " javascript:alert(1)",
  "\u0001javascript:alert(1)",
  "JaVaScRiPt:1",
  "data:text/html,x",
  "vbscript:x",
  "https://a.example/",
  "HTTP://a.example",
  "https:a",
  "https://",
  "https:///a",
  "//a.example",
  "/a",
  "a/b?c=d:e#f",
  "?a",
  "#a",
  "pages/a?x=1",
  "https://a.example/\u202e",
  "https://a.example\\@b",
  "\\\\a",
  "h\u200bttps://a",
  "https://a b",
  "mailto:a@b",
  "a:b",
  "./a:b",
];
/**
 * Every character of the first two planes and of the plane of tags, alone, in a relative address and in a web address.
 */
const characters = Array.from({ length: 0xe1000 }, (_, code) => code)
  .filter((code) => code < 0x20000 || code >= 0xe0000)
  .map((code) => String.fromCodePoint(code))
  .flatMap((character) => [character, `a${character}b`, `https://a.example/${character}`]);
/** Texts that Postgres can store, including unusual characters. */
const texts = [
  ...odd,
  ...characters,
  ...fc.sample(
    fc
      .array(fc.oneof(fc.constantFrom(...odd), fc.string({ unit: "binary" })), { maxLength: 3 })
      .map((parts) => parts.join("")),
    3_000,
  ),
].filter((text) => !text.includes("\0") && !/\p{Surrogate}/u.test(text));

describe("the request schemas and the constraints of the tables", () => {
  it.each([
    ["app.is_visible(t) and app.is_line(t)", visibleText(100_000)],
    ["app.is_web_address(t)", webAddress(100_000)],
    ["app.is_link(t)", link(100_000)],
  ])("accept and reject the same texts: %s", async (condition, schema) => {
    const rows = await sql.unsafe(`select t as text, ${condition} as taken from unnest($1::text[]) as t`, [texts]);
    expect(
      rows
        .filter(({ text, taken }) => taken !== schema.safeParse(text).success)
        .map(({ text }) => JSON.stringify(text)),
    ).toEqual([]);
    expect(new Set(rows.map(({ taken }) => taken))).toEqual(new Set([true, false]));
  });
});
