import { describe, expect, it } from "vitest";
import { allFunctions, isOfTheEngine, readFunctions } from "../../scripts/mutation/engine.ts";
import { describeMutant, difference, mutantsOf } from "../../scripts/mutation/mutants.ts";
import { interval, staleReasons } from "../../scripts/mutation/report.ts";

/** The mutants of a function with this body: operator and changed line. */
function changes(body: string, language = "sql"): string[] {
  const file = `-- Raises: a < b.\ncreate or replace function app.f(p integer)\nreturns integer\nlanguage ${language}\nas $$\n${body}\n$$;\n`;
  return mutantsOf(readFunctions("rules", file)[0]!).map(({ operator, is }) => `${operator}: ${is}`);
}
const plpgsql = (statements: string) => changes(`begin\n${statements}\nend`, "plpgsql");

describe("the mutants of a function", () => {
  it("change comparisons at the bound", () => {
    expect(changes("select a < b")).toEqual(["comparison: select a <= b"]);
    expect(changes("select a >= b")).toEqual(["comparison: select a > b"]);
    expect(changes("select a = b")).toEqual(["comparison: select a <> b"]);
  });

  it("change signs, constants and bounds", () => {
    expect(changes("select a - b * 2")).toEqual([
      "arithmetic: select a + b * 2",
      "arithmetic: select a - b / 2",
      "number: select a - b * 1",
      "number: select a - b * 3",
    ]);
    expect(changes("select 0.0004")).toEqual(["number: select 0.0005"]);
    expect(changes("select interval '5 minutes'")).toEqual(["number: select interval '10 minutes'"]);
    expect(changes("select least(a, b)")).toEqual(["function: select greatest(a, b)"]);
    expect(changes("select coalesce(f(a, b), c)")).toEqual(["coalesce: select (f(a, b))"]);
  });

  it("change conditions, and not the `and` of `between`", () => {
    expect(changes("select a and not b")).toEqual(["logic: select a or not b", "negation: select a and b"]);
    expect(changes("select a between b and c and d is not null")).toEqual([
      "logic: select a between b and c or d is not null",
      "null check: select a between b and c and d is null",
    ]);
    expect(changes("select a in ('b', 'c')")).toEqual(["list: select a in ('c')", "list: select a in ('b')"]);
    expect(changes("select case when a then b end")).toEqual(["condition: select case when false then b end"]);
    expect(changes("select case a when b then c end")).toEqual([]);
    expect(changes("select sum(a) filter (where b)")).toEqual(["condition: select sum(a) filter (where true)"]);
    expect(plpgsql("if a then\n  return b;\nend if;")).toEqual(["condition: if false then", "condition: if true then"]);
    expect(plpgsql("if case when a then b end then\n  raise x;\nend if;")).toEqual([
      "condition: if false then",
      "condition: if case when false then b end then",
    ]);
    expect(plpgsql("if a then\n  perform app.fail('x');\nend if;")).toEqual(["condition: if false then"]);
  });

  it("remove statements of PL/pgSQL, and locks", () => {
    expect(plpgsql("perform app.g(a);")).toEqual(["statement: null;"]);
    expect(plpgsql("perform app.lock_order(a);")).toEqual(["lock: null;"]);
    expect(plpgsql("v.a[b] := c;")).toEqual(["statement: null;"]);
    expect(plpgsql("update t set a = b;")).toEqual(["statement: null;", "comparison: update t set a <> b;"]);
    expect(changes("select a from t order by b for update of t skip locked")).toEqual([
      "sequence: select a from t order by b desc for update of t skip locked",
      "lock: select a from t order by b",
      "lock: select a from t order by b for update of t",
    ]);
    expect(changes("select pg_advisory_xact_lock(a)")).toEqual(["lock: select pg_advisory_xact_lock_shared(a)"]);
    expect(changes("insert into t select a on conflict (b) do nothing")).toEqual(["conflict: insert into t select a"]);
  });

  it("leave comments, strings and the head of the function alone", () => {
    expect(changes("select 'a < b' -- c < d\n/* e < f */")).toEqual([]);
  });

  it("have a place and a key that depend on the function alone", () => {
    const file =
      "create or replace function app.f() returns boolean language sql as $$\n  select a < b and c < b\n$$;\n";
    const [first, second] = mutantsOf(readFunctions("rules", file)[0]!).filter(
      ({ operator }) => operator === "comparison",
    );
    expect([first!, second!].map(describeMutant)).toEqual(["rules/f:2:12 comparison", "rules/f:2:22 comparison"]);
    expect(mutantsOf(readFunctions("rules", `-- A comment.\n${file}`)[0]!).map(({ key }) => key)).toEqual(
      mutantsOf(readFunctions("rules", file)[0]!).map(({ key }) => key),
    );
    expect(first!.text).toBe(file.trim().replace("a < b", "a <= b"));
  });

  it("are shown by the part of the line that differs", () => {
    const [before, after] = ["a".repeat(60), "b".repeat(60)];
    expect(difference({ was: `${before} < ${after}`, is: `${before} <= ${after}` })).toEqual([
      `…${"a".repeat(38)} < ${"b".repeat(39)}…`,
      `…${"a".repeat(38)} <= ${"b".repeat(39)}…`,
    ]);
  });

  it("are more than 200 in the engine, in every module of it", () => {
    const mutants = allFunctions().filter(isOfTheEngine).flatMap(mutantsOf);
    expect(mutants.length).toBeGreaterThan(1_000);
    expect(new Set(mutants.map(({ key }) => key)).size).toBe(mutants.length);
    for (const { of, text } of mutants) expect([of.path, text]).not.toEqual([of.path, of.text]);
  });
});

describe("the interval of a sample", () => {
  // Figures of the literature: Wilson's interval for 9 of 10 and for 10 of 10.
  it.each([
    [{ killed: 9, tried: 10 }, [59.6, 98.2]],
    [{ killed: 10, tried: 10 }, [72.2, 100]],
  ])("of %j is %j", (totals, expected) => {
    expect(interval(totals).map((bound) => Number(bound.toFixed(1)))).toEqual(expected);
  });
});

describe("the reasons for survivors", () => {
  it("are of mutants that the engine has", () => {
    expect(staleReasons()).toEqual([]);
  });

  it("are found when the text of their function has changed", () => {
    const reason = { of: "lock_balances", was: "select 1", is: "select 2", why: "Equivalent." };
    expect(staleReasons([reason])).toEqual([reason]);
  });
});
