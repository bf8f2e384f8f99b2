import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sealer } from "../../functions/_shared/seals.ts";
import { fileFindings, readManifest } from "../../scripts/audit/manifest.ts";
import { writeBundle } from "../../scripts/audit/write_bundle.ts";
import { backdate } from "../journal/store.ts";
import { prepareDatabase } from "../property/database_store.ts";
import { newSealer, sealedStore } from "../seals/store.ts";
import { cloneDatabase, connect, longFormOnly, skipFor } from "../support/index.ts";
import { check, edit, editRows, read, rowsOf } from "./bundles.ts";

interface Settlement {
  order_id: number;
  uid: number;
  commission: number;
  earner_uid: number | null;
}

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let sql: postgres.Sql;
let sealer: Sealer;
let bundle: string;
let month: string;
beforeAll(async () => {
  database = await cloneDatabase();
  sql = connect(database.url);
  await prepareDatabase(sql);
  await backdate(sql);
  sealer = await newSealer();
  await sealedStore(sql, sealer);
  const [row] = await sql<{ month: string }[]>`
    select to_char(app.month_of(s.settled_at), 'YYYY-MM') as month from app.settlements as s
    where s.commission > 0 and app.month_of(s.settled_at) in (select m.month from app.month_seals as m)
    group by 1 order by count(*) desc, 1 limit 1`;
  month = row!.month;
  bundle = mkdtempSync(join(tmpdir(), "audit-"));
  await writeBundle(sql, { folder: bundle, month, secret: sealer.secret, show: () => undefined });
});
afterAll(async () => {
  rmSync(bundle, { recursive: true });
  await sql.end();
  await database.drop();
});

/** A copy of the bundle, which the work may change. */
async function withCopy<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "audit-"));
  try {
    cpSync(bundle, folder, { recursive: true });
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The subjects that differ after a change of the bundle. */
const differencesAfter = (change: (folder: string) => void) =>
  withCopy(async (folder) => {
    change(folder);
    const { findings, differences } = await check(folder);
    return { findings, subjects: differences.map(({ subject }) => subject) };
  });

/** An order of the month that paid a commission. */
const paid = () => rowsOf<Settlement>(bundle, "settlements.jsonl").find(({ commission }) => commission > 0)!;

describe("the bundle of a month", () => {
  it("decides every settlement of the month as it was booked", async () => {
    const verdict = await check(bundle);
    expect(verdict).toMatchObject({ month, findings: [], differences: [], isSealed: true });
    expect(verdict.settlements).toBe(rowsOf(bundle, "settlements.jsonl").length);
    expect(verdict.settlements).toBeGreaterThan(0);
  });

  it("has nothing that names a member", () => {
    const keys = new Set(
      ["opening.jsonl", "orders.jsonl", "changes.jsonl", "settlements.jsonl"].flatMap((name) =>
        [...read(bundle, name).matchAll(/"([a-z_]+)":/g)].map(([, key]) => key!),
      ),
    );
    for (const key of ["nickname", "phone", "address", "remark", "auth_id", "pay_ref", "order_no", "title", "changed_by", "reason_check"])
      expect(keys).not.toContain(key);
  });

  it("is not written into a folder with files", async () => {
    await expect(writeBundle(sql, { folder: bundle, month, secret: undefined, show: () => undefined })).rejects.toThrow(/is not empty/);
  });

  it("names each file that was changed, added or removed", async () => {
    const names = [...Object.keys(readManifest(bundle).files)];
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
    await withCopy(async (folder) => {
      const [removed, ...changed] = names;
      rmSync(join(folder, removed!));
      for (const name of changed) writeFileSync(join(folder, name), `${read(folder, name)} `);
      writeFileSync(join(folder, "more.txt"), "");
      const findings = await fileFindings(folder, readManifest(folder));
      expect(findings.map((finding) => finding.split(": ")[0]).toSorted()).toEqual([...names, "more.txt"].toSorted());
    });
  });
});

describe("a bundle whose manifest was written anew", () => {
  skipFor(it, longFormOnly)("shows a changed ratio of the plan", async () => {
    const { order_id: order } = paid();
    const { subjects } = await differencesAfter((folder) =>
      editRows<{ tier_ratios: number[] }>(folder, "plans.jsonl", (plans) =>
        plans.map((plan) => ({ ...plan, tier_ratios: plan.tier_ratios.map((ratio) => ratio / 2) })),
      ),
    );
    expect(subjects).toContain(`order ${order}`);
  });

  it("shows a changed function", async () => {
    const { order_id: order, earner_uid: earner } = paid();
    const { subjects } = await differencesAfter((folder) =>
      edit(
        folder,
        "functions/cycle_commission.sql",
        read(folder, "functions/cycle_commission.sql").replace("p_base * p_rate", "p_base * p_rate + 0.01"),
      ),
    );
    expect(subjects).toContain(`order ${order}`);
    expect(subjects).toContain(`order ${order}, cycle of uid ${earner}`);
  });

  skipFor(it, longFormOnly)("shows two orders that were swapped", async () => {
    const { order_id: order } = paid();
    const { subjects } = await differencesAfter((folder) =>
      editRows<{ id: number; uid: number; lines: unknown }>(folder, "orders.jsonl", (orders) => {
        const one = orders.find(({ id }) => id === order)!;
        const other = orders.find(({ uid, lines }) => uid !== one.uid && JSON.stringify(lines) !== JSON.stringify(one.lines))!;
        return orders.map((row) => (row === one ? { ...other, id: one.id } : row === other ? { ...one, id: other.id } : row));
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
          (_, before: string, amount: string, after: string) => `${before}${(Number(amount) + 0.01).toFixed(2)}${after}`,
        ),
      ),
    );
    expect(findings).toEqual([expect.stringMatching(/^bill\.txt: its \d+ rows do not give the root of the seal\.$/)]);
    expect(subjects).toEqual([`order ${order}, cycle of uid ${earner}`]);
  });
});
