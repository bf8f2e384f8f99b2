import { describe, expect, it } from "vitest";
import { allFunctions } from "../../scripts/mutation/engine.ts";
import { tokensOf } from "../../scripts/structure/sql_tokens.ts";

const texts = (sql: string) => tokensOf(sql).map(({ text }) => text);

describe("the tokens of SQL", () => {
  it("leave out comments, also nested ones", () => {
    expect(texts("a -- b < c\n/* d /* e */ < f */ g")).toEqual(["a", "g"]);
    expect(texts("a--b\n<c")).toEqual(["a", "<", "c"]);
    expect(texts("1 */* x */ 2")).toEqual(["1", "*", "2"]);
  });

  it("keep strings, quoted names and bodies in one piece", () => {
    expect(texts(`'it''s < 1' e'a\\' < b' u&'\\+10FFFF' "a "" < b" $$ 1 < 2 $$ $x$ $$ < $x$`)).toEqual([
      "'it''s < 1'",
      "e'a\\' < b'",
      "u&'\\+10FFFF'",
      `"a "" < b"`,
      "$$ 1 < 2 $$",
      "$x$ $$ < $x$",
    ]);
  });

  it("tell operators apart as Postgres does", () => {
    expect(texts("a<=-1")).toEqual(["a", "<=", "-", "1"]);
    expect(texts("a @-b")).toEqual(["a", "@-", "b"]);
    expect(texts("p_a=>1 v:=2 x::text")).toEqual(["p_a", "=>", "1", "v", ":=", "2", "x", "::", "text"]);
    expect(texts("a ->> 'b' ~>=~ c")).toEqual(["a", "->>", "'b'", "~>=~", "c"]);
  });

  it("tell numbers from ranges and parameters", () => {
    expect(texts("1..20 0.5 .5 1e-3 $1 a[1:2]")).toEqual([
      "1",
      "..",
      "20",
      "0.5",
      ".5",
      "1e-3",
      "$1",
      "a",
      "[",
      "1",
      ":",
      "2",
      "]",
    ]);
  });

  it("know their place and the brackets around them", () => {
    const sql = "f(a, (B))";
    for (const { text, start, end } of tokensOf(sql)) expect(sql.slice(start, end).toLowerCase()).toBe(text);
    expect(tokensOf(sql).map(({ depth }) => depth)).toEqual([0, 0, 1, 1, 1, 2, 1, 0]);
  });

  it("reject what is not SQL", () => {
    expect(() => texts("a 'b")).toThrow("No token of SQL");
  });

  it("cover every function of sql/ but its white space and comments", () => {
    for (const { path, body } of allFunctions()) {
      const tokens = tokensOf(body.text);
      const between = tokens
        .map(({ start }, index) => body.text.slice(tokens[index - 1]?.end ?? 0, start))
        .join("")
        .replaceAll(/--[^\n]*/g, "");
      expect([path, between.trim(), tokens.at(-1)!.depth]).toEqual([path, "", 0]);
    }
  });
});
