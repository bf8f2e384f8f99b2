import { describe, expect, it } from "vitest";
import { readVector, vectorNames } from "../../kit/load.ts";
import { runVector } from "../../kit/run.ts";
import { cloneDatabase } from "../support/index.ts";
import { changed } from "./change.ts";
import { useEngine } from "./engine.ts";
import { type Mutant, mutants, withoutLocks } from "./mutants.ts";
import { serveAdapter } from "./serve_adapter.ts";
import { StoreAdapter } from "./store_adapter.ts";

const rules = new Set(vectorNames().flatMap((name) => readVector(name).rules));

/**
 * What the vector notices, also an error by which the database prevents it. A function that Postgres does not accept is
 * no mutant.
 */
const noticed = (url: string, { vector }: Mutant): Promise<string[]> =>
  runVector(url, readVector(vector)).catch((error: Error) => {
    if (!error.message.startsWith("The adapter answered /event")) throw error;
    return [error.message];
  });

describe("one line of the engine changed", () => {
  const engine = useEngine();

  // Guarantee rules/kit
  it.each(mutants)("$rule: $vector notices $to in $of", async (mutant) => {
    engine.adapter.change = await changed(engine.database.url, mutant);
    expect(await noticed(engine.server.url, mutant)).not.toEqual([]);
  });

  it("is noticed for each rule", () => {
    expect([...rules].filter((rule) => ![...mutants, withoutLocks].some((mutant) => mutant.rule === rule))).toEqual([]);
  });
});

describe("orders that are paid at the same moment", () => {
  /** Runs the vector in a store that commits, which needs a database of its own. */
  async function runTogether(mutant?: Mutant): Promise<string[]> {
    const database = await cloneDatabase();
    const adapter = new StoreAdapter(database.url, true);
    try {
      await adapter.prepare();
      if (mutant) adapter.change = await changed(database.url, mutant);
      const server = await serveAdapter(adapter);
      try {
        return await noticed(server.url, withoutLocks);
      } finally {
        await server.stop();
      }
    } finally {
      await adapter.end();
      await database.drop();
    }
  }

  it("take the places of the cycles, each once (R10)", async () => {
    expect(await runTogether()).toEqual([]);
  });

  it("collide without the locks", async () => {
    expect(await runTogether(withoutLocks)).not.toEqual([]);
  });
});
