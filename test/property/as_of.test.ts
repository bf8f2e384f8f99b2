import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cloneDatabase, connect, rolledBack, seed, testSize } from "../support/index.ts";
import { type Connection, DatabaseStore, prepareDatabase } from "../../scripts/histories/database_store.ts";
import { actionsOf, history, type Step } from "../../scripts/histories/history.ts";
import { applyToModel } from "../../scripts/model/apply.ts";
import { liabilitiesAsOf, memberAsOf, Recording } from "../../scripts/model/as_of.ts";
import { START, Store } from "../../scripts/model/store.ts";

// The oracle is the model as it was: its states are kept while the history happens, and the store is asked when all has
// happened.
const SEED = seed();
const REPLAY_PATH = process.env.REPLAY_PATH;
const replay = REPLAY_PATH ? { path: REPLAY_PATH } : {};
const INSTANTS = 10;
const MINUTE = 60_000;

/** Where an instant lies: after so many thousandths of the recorded times, and how far from there to the next one. */
const instant = fc.record({ after: fc.nat(999), share: fc.constantFrom(0, 0, 0.3, 0.7, 1) });
const lastSteps: Step[] = [{ do: "compact", isReleased: true, days: 62 }];
const asked = fc.noBias(
  fc.record({
    steps: fc.tuple(history, fc.nat(3)).map(([steps, kind]) => [...steps, ...(kind > 0 ? lastSteps : [])]),
    instants: fc.array(instant, { minLength: INSTANTS, maxLength: INSTANTS }),
  }),
);

/** The first history of every run. It has a month that is compacted, whatever the seed is. */
const compactedMonth = {
  steps: [
    ...[0, 1, 2].flatMap((under): Step[] => [
      { do: "sign_up", under },
      { do: "buy", buyer: 0, items: [{ product: 1, quantity: 1 }] },
      { do: "release", daysFromToday: null },
      { do: "wait", minutes: 1440 },
    ]),
    ...lastSteps,
  ],
  instants: Array.from({ length: INSTANTS }, (_, index) => ({ after: index * 100, share: 0.3 })),
};

const compared = { instants: 0, inCompactedMonths: 0 };

async function happen(
  sql: Connection,
  steps: Step[],
): Promise<{ model: Store; database: DatabaseStore; recording: Recording }> {
  const model = new Store();
  const database = new DatabaseStore(sql, false);
  const recording = new Recording();
  for (const step of steps) {
    for (const action of actionsOf(step, model)) {
      if (action.do === "compact" || action.do === "expand")
        model.compacted = await database.changeMonths(action.do, model.now);
      if (action.do === "wait") recording.record(model);
      const outcome = applyToModel(model, action);
      const day =
        action.do === "release" && action.daysFromToday !== null ? model.businessDay(action.daysFromToday) : null;
      deepStrictEqual(await database.apply(action, model.now, day), outcome);
    }
  }
  recording.record(model);
  return { model, database, recording };
}

async function compare(sql: Connection, steps: Step[], instants: { after: number; share: number }[]): Promise<void> {
  const { model, database, recording } = await happen(sql, steps);
  const times = [START - MINUTE, ...recording.times, model.now + MINUTE];
  for (const { after, share } of instants) {
    const index = Math.floor((after / 1000) * (times.length - 1));
    const [from, to] = [times[index]!, times[index + 1]!];
    const at = Math.max(from + 1, Math.floor(from + share * (to - from)));
    const store = recording.at(at);
    const members = store?.members.length ?? 0;
    const where = `at ${new Date(at).toISOString()}, compacted ${model.compacted.join(", ")}`;
    if (members < model.members.length)
      deepStrictEqual(
        await database.asOfBefore(at, members + 1),
        "invalid_argument",
        `a member who came later, ${where}`,
      );
    const found = await database.asOf(at, members);
    if (store === undefined || members === 0) {
      deepStrictEqual(
        found,
        model.members.length === 0 ? found : "invalid_argument",
        `before the first member, ${where}`,
      );
      continue;
    }
    const expected = {
      liabilities: liabilitiesAsOf(store),
      members: store.members.map((_, number) => memberAsOf(store, number + 1)),
    };
    deepStrictEqual(found, expected, where);
    compared.instants += 1;
    compared.inCompactedMonths += model.compacted.includes(new Date(at).toISOString().slice(0, 7)) ? 1 : 0;
  }
}

// Guarantee money/past-instant: A past instant has the figures that the store had then, in compacted months too, or is
// refused
// By: the bill and the histories, app.member_at and app.owed_at
test.each([SEED])(
  "members and liabilities of past instants are what the model was then, in compacted months too (seed %i)",
  async () => {
    const database = await cloneDatabase();
    const sql = connect(database.url);
    try {
      await prepareDatabase(sql);
      await fc.assert(
        fc.asyncProperty(asked, ({ steps, instants }) =>
          rolledBack(sql, (transaction) => compare(transaction, steps, instants)),
        ),
        { seed: SEED, numRuns: testSize.pastHistories, examples: [[compactedMonth]], endOnFailure: true, ...replay },
      );
      if (REPLAY_PATH) return;
      expect(compared.instants).toBeGreaterThan(3 * testSize.pastHistories);
      expect(compared.inCompactedMonths).toBeGreaterThan(0);
    } finally {
      await sql.end();
      await database.drop();
    }
  },
  60 * 60_000,
);
