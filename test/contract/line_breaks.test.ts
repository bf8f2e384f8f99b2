import { expect, it } from "vitest";
import { inOneLine } from "../../scripts/generate/line_breaks.ts";

// What npm run migration:fold leaves out, because only its line breaks differ.

it.each([
  ["arguments on lines of their own", "select f(a, b)", "select f(\n  a, b\n)"],
  ["clauses on lines of their own", "select a from t where b", "select a\n  from t\n  where b"],
  ["a comment of two lines", "-- one two\nselect 1", "-- one\n-- two\nselect 1"],
  ["a comment with an apostrophe", "-- it's one\nselect 'a'", "-- it's\n  -- one\nselect 'a'"],
])("is the same with %s", (_case, one, other) => expect(inOneLine(other)).toBe(inOneLine(one)));

it.each([
  ["two spaces in a text", "select 'a b'", "select 'a  b'"],
  ["a line break in a text", "select 'a b'", "select 'a\nb'"],
  ["a space behind a bracket in a text", "select '(a'", "select '( a'"],
  ["code that became a comment", "select a -- note\n, b", "select a -- note , b"],
  ["a comment that became code", "-- one\nselect 1", "-- one select 1"],
])("is another with %s", (_case, one, other) => expect(inOneLine(other)).not.toBe(inOneLine(one)));
