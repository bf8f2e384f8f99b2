import { expect, it } from "vitest";
import { readVector, vectorNames } from "../../kit/load.ts";
import { runVector } from "../../kit/run.ts";
import { NaiveAdapter } from "./naive_adapter.ts";
import { serveAdapter } from "./serve_adapter.ts";

/**
 * What the naive settlement is made for and does wrong: quantities, goods, own orders, levels and the sequence of
 * payments.
 */
const WRONG = [
  "own_order_of_other_goods",
  "points_by_quantity",
  "sequence_of_the_same_moment",
  "several_grades_at_once",
  "umbrella_difference",
];

it("finds what a settlement without the engine does wrong, by its bill alone", async () => {
  const server = await serveAdapter(new NaiveAdapter());
  try {
    const wrong: string[] = [];
    for (const name of vectorNames()) {
      const { events } = readVector(name);
      if (events.some((event) => event.do === "together")) continue;
      const differences = await runVector(server.url, readVector(name));
      if (differences.some((difference) => difference.startsWith("bill."))) wrong.push(name);
    }
    expect(wrong).toEqual(expect.arrayContaining(WRONG));
  } finally {
    await server.stop();
  }
});
