import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../kit/evaluate.ts";
import { readVector, startOf, vectorNames } from "../../kit/load.ts";
import { runVector } from "../../kit/run.ts";
import { kitSchema, kitSchemaFile } from "../../scripts/generate/kit_schema.ts";
import { useEngine } from "./engine.ts";

const isTogether = (name: string) => readVector(name).events.some((event) => event.do === "together");

it("the schema of the vectors is that of their format", () => {
  expect(readFileSync(kitSchemaFile, "utf8")).toBe(kitSchema());
});

describe("the evaluator", () => {
  it.each(vectorNames())("computes what must follow: %s", (name) => {
    const vector = readVector(name);
    const { result, refused } = evaluate(startOf(vector), vector.events);
    expect(result).toEqual(vector.expected);
    expect(refused).toEqual(vector.events.map(({ refused: isRefused = false }) => isRefused));
  });
});

describe("this store", () => {
  const engine = useEngine();

  // Guarantee rules/kit: Every rule can be tried in any system: the engine follows each vector of `kit/`, and for each
  // rule a vector notices a changed line
  // By: events and results as data, and an evaluator that shares nothing with the engine, scripts/commands/kit.ts
  it.each(vectorNames().filter((name) => !isTogether(name)))("does what must follow: %s", async (name) => {
    expect(await runVector(engine.server.url, readVector(name))).toEqual([]);
  });
});
