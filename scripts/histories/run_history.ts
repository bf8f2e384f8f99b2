import { deepStrictEqual } from "node:assert/strict";
import { type Connection, DatabaseStore } from "./database_store.ts";
import { actionsOf, type Step } from "./history.ts";
import type { Action } from "../model/actions.ts";
import { account } from "../model/accounts.ts";
import { asMoney } from "../model/amounts.ts";
import { applyToModel } from "../model/apply.ts";
import { unaccounted } from "../model/invariants.ts";
import { snapshotOfModel } from "../model/snapshot.ts";
import { START, Store } from "../model/store.ts";

/**
 * Applies a history to the model and to a prepared database, and compares the result of every action and the final
 * state.
 * @param commits whether `sql` is outside of a transaction
 * @param nights connections for the further sessions of a night
 * @throws Error that lists the actions up to the difference, and the difference
 */
export async function runHistory(sql: Connection, steps: Step[], commits: boolean, nights?: Connection): Promise<void> {
  const model = new Store();
  const database = new DatabaseStore(sql, commits, nights);
  const done: string[] = [];
  try {
    for (const step of steps) {
      for (const action of actionsOf(step, model)) {
        if (action.do === "compact" || action.do === "expand") {
          model.compacted = await database.changeMonths(action.do, model.now);
          done.push(`${JSON.stringify(action)} -> ${JSON.stringify(model.compacted)}`);
        }
        const outcome = applyToModel(model, action);
        done.push(`${JSON.stringify(action)} -> ${outcome}`);
        // A repeated reference replays a refund, which has no effect.
        const isPreviewed = action.do === "refuse_refund" || (action.do === "refund" && action.ref === null);
        const foreseen = isPreviewed ? await database.previewRefund(action, model.now) : undefined;
        deepStrictEqual(await database.apply(action, model.now, releaseDay(model, action)), outcome);
        deepStrictEqual(unaccounted(model), [], "the invariants of the model");
        const expected = model.members
          .map((_, index) => account(model, index + 1).withdrawable)
          .map((amount) => ({ amount: asMoney(amount), isDebtor: amount < 0n }));
        deepStrictEqual(await database.withdrawable(model.now), expected, "withdrawable");
        if (foreseen && outcome === "ok") deepStrictEqual(await database.effectsSince(foreseen), foreseen.effects);
      }
    }
    deepStrictEqual(await database.snapshot(), snapshotOfModel(model));
    deepStrictEqual(await database.told(), model.told, "events");
    deepStrictEqual([...(await database.eventDifferences())], [], "events beside the books");
    deepStrictEqual(await database.wrongForecasts(model.now), [], "you_would_earn");
    for (const from of [START, (START + model.now) / 2])
      deepStrictEqual(await database.simulationDifferences(from), [], "simulation");
  } catch (error) {
    throw new Error(`${(error as Error).message}\n(+ database, - model) after:\n${done.join("\n")}`, { cause: error });
  }
}

function releaseDay(model: Store, action: Action): string | null {
  return action.do === "release" && action.daysFromToday !== null ? model.businessDay(action.daysFromToday) : null;
}
