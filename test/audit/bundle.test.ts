import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readManifest } from "../../scripts/audit/manifest.ts";
import { writeBundle } from "../../scripts/audit/write_bundle.ts";
import { longFormOnly, skipFor } from "../support/index.ts";
import { check, edit, editRows, read, rowsOf, sealedBundle } from "./bundles.ts";

interface Settlement {
  order_id: number;
  uid: number;
  commission: number;
  earner_uid: number | null;
}

let store: Awaited<ReturnType<typeof sealedBundle>>;
let bundle: string;
beforeAll(async () => {
  store = await sealedBundle();
  bundle = store.folder;
});
afterAll(() => store.drop());

/** The subjects that differ after a change of the bundle. */
const differencesAfter = (change: (folder: string) => void) =>
  store.withCopy(async (folder) => {
    change(folder);
    const { findings, differences } = await check(folder);
    return { findings, subjects: differences.map(({ subject }) => subject) };
  });

/** An order of the month that paid a commission. */
const paid = () => rowsOf<Settlement>(bundle, "settlements.jsonl").find(({ commission }) => commission > 0)!;

describe("the bundle of a month", () => {
  // Guarantee money/auditor-settlements: An auditor finds a settlement that does not follow from what happened, with
  // the store's functions and without the store
  // By: decisions read no table, app.decide_cycles and app.decide_levels
  it("decides every settlement of the month as it was booked", async () => {
    const verdict = await check(bundle);
    expect(verdict).toMatchObject({ month: store.month, findings: [], differences: [], isSealed: true });
    expect(verdict.settlements).toBe(rowsOf(bundle, "settlements.jsonl").length);
    expect(verdict.settlements).toBeGreaterThan(0);
  });

  it("has nothing that names a member", () => {
    const keys = new Set(
      ["opening.jsonl", "orders.jsonl", "changes.jsonl", "settlements.jsonl"].flatMap((name) =>
        [...read(bundle, name).matchAll(/"([a-z_]+)":/g)].map(([, key]) => key!),
      ),
    );
    for (const key of [
      "nickname",
      "phone",
      "address",
      "remark",
      "auth_id",
      "pay_ref",
      "order_no",
      "title",
      "changed_by",
      "reason_check",
    ])
      expect(keys).not.toContain(key);
  });

  it("is not written into a folder with files", async () => {
    await expect(
      writeBundle(store.sql, { folder: bundle, month: store.month, secret: undefined, show: () => undefined }),
    ).rejects.toThrow(/is not empty/);
  });

  it("names each file that was changed, added or removed", async () => {
    const names = Object.keys(readManifest(bundle).manifest.files);
    expect(names).toEqual(
      expect.arrayContaining([
        "functions/decide_cycles.sql",
        "functions/decide_levels.sql",
        "functions/order_facts.sql",
        "functions/settlement_changes.sql",
        "bill.txt",
        "journal.journal",
        "seal.json",
      ]),
    );
    const named = (findings: string[]) => findings.map((finding) => finding.split(/[:,]/)[0]!);
    await store.withCopy(async (folder) => {
      for (const name of names) writeFileSync(join(folder, name), `${read(folder, name)} `);
      const { findings, settlements } = await check(folder);
      expect(named(findings)).toEqual(expect.arrayContaining(names));
      expect(settlements).toBeUndefined();
    });
    await store.withCopy(async (folder) => {
      rmSync(join(folder, names[0]!));
      writeFileSync(join(folder, "more.txt"), "");
      const { findings, settlements } = await check(folder);
      expect(named(findings).toSorted()).toEqual([names[0]!, "more.txt"].toSorted());
      expect(settlements).toBeUndefined();
    });
  });
});

describe("a bundle whose manifest was written anew", () => {
  // Guarantee money/auditor-settlements
  skipFor(it, longFormOnly)("shows a changed ratio of the plan", async () => {
    const { order_id: order } = paid();
    const { subjects } = await differencesAfter((folder) =>
      editRows<{ tier_ratios: number[] }>(folder, "plans.jsonl", (plans) =>
        plans.map((plan) => ({ ...plan, tier_ratios: plan.tier_ratios.map((ratio) => ratio / 2) })),
      ),
    );
    expect(subjects).toContain(`order ${order}`);
  });

  // Guarantee money/auditor-settlements
  it("names a function that is not that of the checkout, and decides without it", async () => {
    const name = "functions/cycle_commission.sql";
    const { findings, subjects } = await differencesAfter((folder) =>
      edit(folder, name, read(folder, name).replace("p_base * p_rate", "p_base * p_rate + 0.01")),
    );
    expect(findings).toEqual([expect.stringContaining(`${name}: it is not that of this checkout.`)]);
    expect(subjects).toEqual([]);
  });

  // Guarantee money/auditor-settlements
  skipFor(it, longFormOnly)("shows two orders that were swapped", async () => {
    const { order_id: order } = paid();
    const { subjects } = await differencesAfter((folder) =>
      editRows<{ id: number; uid: number; lines: unknown }>(folder, "orders.jsonl", (orders) => {
        const one = orders.find(({ id }) => id === order)!;
        const other = orders.find(
          ({ uid, lines }) => uid !== one.uid && JSON.stringify(lines) !== JSON.stringify(one.lines),
        )!;
        return orders.map((row) =>
          row === one ? { ...other, id: one.id } : row === other ? { ...one, id: other.id } : row,
        );
      }),
    );
    expect(subjects).toContain(`order ${order}`);
  });

  it("shows a bill row that was changed, by its seal too", async () => {
    const { order_id: order, earner_uid: earner } = paid();
    const { findings, subjects } = await differencesAfter((folder) =>
      edit(
        folder,
        "bill.txt",
        read(folder, "bill.txt").replace(
          new RegExp(`^(.*\\|${earner}\\|brokerage\\|cycle\\|)([\\d.]+)(\\|.*\\|${order}\\|.*)$`, "m"),
          (_, before: string, amount: string, after: string) =>
            `${before}${(Number(amount) + 0.01).toFixed(2)}${after}`,
        ),
      ),
    );
    expect(findings).toEqual([expect.stringMatching(/^bill\.txt: its \d+ rows do not give the root of the seal\.$/)]);
    expect(subjects).toEqual([`order ${order}, cycle of uid ${earner}`]);
  });
});
