// A bundle comes from somebody whom the auditor does not trust: what others reported of archives and outputs like it,
// tried on audit:check. Then what happened at one instant, and what was changed by hand, in bundle and journal.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Event } from "../../kit/format.ts";
import { readVector, startOf } from "../../kit/load.ts";
import { MANIFEST } from "../../scripts/audit/manifest.ts";
import { Problem } from "../../scripts/ground/problem.ts";
import { check, edit, editManifest, editRows, read, rowsOf, sealedBundle, withBundle } from "../audit/bundles.ts";
import { differencesOf } from "../journal/read_journal.ts";
import { backdate, backdateMembers, journalOf, runHistory } from "../journal/store.ts";
import { StoreAdapter } from "../kit/store_adapter.ts";
import { prepareDatabase } from "../../scripts/histories/database_store.ts";
import { history } from "../../scripts/histories/history.ts";
import { cloneDatabase, connect, rolledBack, seed } from "../support/index.ts";

let store: Awaited<ReturnType<typeof sealedBundle>>;
beforeAll(async () => {
  store = await sealedBundle();
});
afterAll(() => store.drop());

/**
 * What the check has against a copy of the bundle that was changed, without its seal, which its writer can leave out.
 */
const verdictAfter = (change: (folder: string) => void) =>
  store.withCopy(async (folder) => {
    rmSync(join(folder, "seal.json"));
    editManifest(folder, ({ files: { "seal.json": _, ...files }, ...manifest }) => ({ ...manifest, files }));
    change(folder);
    return check(folder);
  });

const lines = (folder: string, name: string) => read(folder, name).split("\n").slice(0, -1);
const write = (folder: string, name: string, rows: string[]) =>
  edit(folder, name, rows.map((row) => `${row}\n`).join(""));

/** The first commission in the bill: its line, and where it stands. */
function commission(folder: string): { at: number; values: string[] } {
  const at = lines(folder, "bill.txt").findIndex((line) => line.split("|")[4] === "brokerage");
  return { at, values: lines(folder, "bill.txt")[at]!.split("|") };
}

const ESC = String.fromCodePoint(0x1b);

describe("infinidysk/infinidysk#574, VoidNullable/lific#42: what comes with an archive is executed while it is checked", () => {
  // Guarantee money/auditor-bundle: A bundle for an auditor is data: nothing of it is executed, nothing leads out of
  // it, and no text of it controls the terminal
  // By: scripts/audit/engine has what decides; `readFileOf` in scripts/audit/read_files.ts, scripts/audit/findings.sql,
  // `printable`
  it("runs no type and no function of the bundle, so that a trigger cannot hide a tenfold commission", async () => {
    let order = "";
    const { findings, differences } = await verdictAfter((folder) => {
      const { at, values } = commission(folder);
      order = values[12]!;
      const forged = values.with(6, (Number(values[6]) * 10).toFixed(2)).join("|");
      write(folder, "bill.txt", lines(folder, "bill.txt").with(at, forged));
      edit(
        folder,
        "types.sql",
        `${read(folder, "types.sql")}create function bundle.hide() returns trigger language plpgsql as $f$ begin
          if new.row #>> '{}' = $a$${forged}$a$ then new.row := to_jsonb($b$${values.join("|")}$b$::text); end if; return new; end $f$;
          create trigger hide before insert on bundle.lines for each row execute function bundle.hide();\n`,
      );
      edit(
        folder,
        "functions/more.sql",
        "create function app.more() returns void language sql as 'select pg_sleep(600)';\n",
      );
    });
    expect(findings).toEqual([
      expect.stringMatching(/^types\.sql: it is not that of this checkout/),
      expect.stringMatching(/^functions\/more\.sql: it is not that of this checkout/),
    ]);
    expect(differences.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(new RegExp(`^order ${order}, cycle of uid `)),
    ]);
  });

  it("takes a line as a value or refuses it: no statement, no command of psql, no second row in a line", async () => {
    const { findings, settlements } = await verdictAfter((folder) => {
      write(folder, "orders.jsonl", [String.raw`\! touch /tmp/x`, ...lines(folder, "orders.jsonl")]);
      write(folder, "plans.jsonl", ["'); drop schema app cascade; --", ...lines(folder, "plans.jsonl")]);
      const [one, other, ...rest] = lines(folder, "settlements.jsonl");
      write(folder, "settlements.jsonl", [`${one},${other}`, ...rest]);
      write(folder, "opening.jsonl", [...lines(folder, "opening.jsonl"), "null"]);
      const { at, values } = commission(folder);
      write(folder, "bill.txt", lines(folder, "bill.txt").with(at, values.with(1, "now").join("|")));
    });
    expect(findings.toSorted()).toEqual([
      expect.stringMatching(/^bill\.txt, line \d+: it is no row of a bill\.$/),
      expect.stringMatching(/^opening\.jsonl, line \d+: it is no JSON object\.$/),
      "orders.jsonl, line 1: it is no JSON object.",
      "plans.jsonl, line 1: it is no JSON object.",
      "settlements.jsonl, line 1: it is no JSON object.",
    ]);
    expect(settlements).toBeUndefined();
  });
});

describe("VoidNullable/lific#42, xdubois-57/scoutmagic#303: paths that lead out of an archive, links, files that nobody names", () => {
  // Guarantee money/auditor-bundle
  it.each<[string, (folder: string) => void, RegExp]>([
    [
      "a link in place of a file",
      (folder) => {
        renameSync(join(folder, "bill.txt"), `${folder}.txt`);
        symlinkSync(`${folder}.txt`, join(folder, "bill.txt"));
      },
      /^bill\.txt: it is no file, but leads to something else\.$/,
    ],
    [
      "a link in place of the folder",
      (folder) => {
        rmSync(join(folder, "functions"), { recursive: true });
        symlinkSync(join(store.folder, "functions"), join(folder, "functions"));
      },
      /^functions: it is not in the manifest\.$/,
    ],
    ["a folder in place of a file", (folder) => replaceByFolder(folder, "types.sql"), /^types\.sql: it is no file/],
    [
      "a name that every object of JavaScript has",
      (folder) => writeFileSync(join(folder, "toString"), ""),
      /^toString: it is not in the manifest/,
    ],
    [
      "a manifest that does not name the bill",
      (folder) => {
        rmSync(join(folder, "bill.txt"));
        editManifest(folder, ({ files: { "bill.txt": _, ...files }, ...manifest }) => ({ ...manifest, files }));
      },
      /^bill\.txt: the manifest does not name it\.$/,
    ],
  ])("decides nothing after %s", async (_, change, finding) => {
    const { findings, settlements } = await verdictAfter(change);
    expect(findings).toContainEqual(expect.stringMatching(finding));
    expect(settlements).toBeUndefined();
  });

  it.each(["../../outside.sql", "/etc/passwd", "functions/../bill.txt", "functions/a/b.sql"])(
    "refuses a manifest with the file %s",
    async (name) => {
      const changed = verdictAfter((folder) =>
        editManifest(folder, ({ files, ...manifest }) => ({
          ...manifest,
          files: { ...files, [name]: files["bill.txt"] },
        })),
      );
      await expect(changed).rejects.toThrow(/is not the manifest of a bundle/);
    },
  );

  it("refuses a manifest with a function outside of the folder", async () => {
    const changed = verdictAfter((folder) =>
      editManifest(folder, ({ functions, ...manifest }) => ({
        ...manifest,
        functions: { ...functions, "../../outside": "0".repeat(64) },
      })),
    );
    await expect(changed).rejects.toThrow(/is not the manifest of a bundle/);
  });

  it("says which format a bundle of another version has", async () => {
    const changed = verdictAfter((folder) =>
      editManifest(folder, (manifest) => ({ ...manifest, version: 3, more: true })),
    );
    await expect(changed).rejects.toThrow(/has the format 3\. This checkout reads the format 2\./);
  });
});

function replaceByFolder(folder: string, name: string): void {
  rmSync(join(folder, name));
  mkdirSync(join(folder, name));
}

describe("artifact-keeper/artifact-keeper#3526: the hash of an archive stands in the archive", () => {
  it("prints a hash that changes with each file, also with types and functions", async () => {
    const changes: ((folder: string) => void)[] = [
      () => undefined,
      ...["types.sql", "functions/decide_cycles.sql", "plans.jsonl", "journal.journal"].map(
        (name) => (folder: string) => edit(folder, name, `${read(folder, name)}\n`),
      ),
      (folder) => editManifest(folder, (manifest) => ({ ...manifest, last_position: "0" })),
    ];
    const hashes = [];
    // The additional file saves the decisions.
    for (const change of changes)
      hashes.push(
        (await verdictAfter((folder) => (change(folder), writeFileSync(join(folder, "more.txt"), "")))).bundle,
      );
    expect(new Set(hashes).size).toBe(changes.length);
  });
});

describe("martinus/oans#202, EONRaider/RootWire#53: names and texts that control the terminal", () => {
  // Guarantee money/auditor-bundle
  it("prints names escaped, so that none can show another result", async () => {
    const names = [
      `${ESC}[2K2026-01: 5 settlements decided again, differences: 0.`,
      "a\nb",
      "a\u009b1A",
      "a\u202eb",
      "a\rb",
    ];
    const { findings } = await verdictAfter((folder) => {
      for (const name of names) writeFileSync(join(folder, name), "");
    });
    expect(findings).toHaveLength(names.length);
    for (const finding of findings) expect(finding).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(findings).toContain(
      `\\u{1b}[2K2026-01: 5 settlements decided again, differences: 0.: it is not in the manifest.`,
    );
  });

  it("escapes what a manifest has", async () => {
    const changed = verdictAfter((folder) =>
      writeFileSync(join(folder, MANIFEST), JSON.stringify({ [`${ESC}[2K`]: 1 })),
    );
    await expect(changed).rejects.toThrow(/\\u\{1b\}\[2K/);
  });

  // jamie8johnson/cqs#1341: content, and not only names.
  it("takes no text of a settlement for several values, and prints it escaped", async () => {
    const { findings, differences } = await verdictAfter((folder) => {
      editRows<{ commission: number; earner_uid: number | null; reason: string | null; state: string }>(
        folder,
        "settlements.jsonl",
        (rows) => {
          const paid = rows.find((row) => row.commission > 0)!;
          const unpaid = rows.find((row) => row.reason !== null && row !== paid)!;
          return rows.map((row) => {
            if (row === paid) return { ...row, earner_uid: null, reason: String(row.earner_uid) };
            return row === unpaid ? { ...row, reason: `${row.reason}${ESC}[1A` } : row;
          });
        },
      );
    });
    expect(findings).toEqual([]);
    expect(differences).toHaveLength(2);
    for (const { booked } of differences) expect(booked).not.toContain(ESC);
  });
});

describe("rows that are there twice, and rows of another month", () => {
  it("names each, and decides nothing", async () => {
    let row = "";
    const { findings, settlements } = await verdictAfter((folder) => {
      for (const name of ["plans.jsonl", "levels.jsonl", "opening.jsonl", "orders.jsonl", "settlements.jsonl"])
        write(folder, name, [...lines(folder, name), lines(folder, name)[0]!]);
      const { at, values } = commission(folder);
      row = values[2]!;
      const later = values
        .with(
          1,
          values[1]!.replace(/^\d{4}/, (year) => String(Number(year) + 1)),
        )
        .with(2, "99999999");
      write(folder, "bill.txt", [...lines(folder, "bill.txt").toSpliced(at, 0, values.join("|")), later.join("|")]);
      const positions = lines(folder, "settlements.jsonl").map(
        (text) => (JSON.parse(text) as { position: number }).position,
      );
      editManifest(folder, (manifest) => ({ ...manifest, last_position: String(Math.max(...positions) - 1) }));
    });
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^plans\.jsonl: version \d+ is there twice\.$/),
        expect.stringMatching(/^levels\.jsonl: version \d+ is there twice\.$/),
        expect.stringMatching(/^opening\.jsonl: member \d+ is there twice\.$/),
        expect.stringMatching(/^orders\.jsonl: order \d+ is there twice\.$/),
        expect.stringMatching(/^settlements\.jsonl: order \d+ is there twice\.$/),
        `bill.txt: row ${row} is there twice.`,
        "bill.txt: row 99999999 is not of this month.",
        expect.stringMatching(/^settlements\.jsonl: order \d+ is not of this month\.$/),
      ]),
    );
    expect(settlements).toBeUndefined();
  });

  it("shows a commission that nothing decided, whatever it says that it reverses", async () => {
    const { findings, differences } = await verdictAfter((folder) => {
      const bill = lines(folder, "bill.txt");
      const { values } = commission(folder);
      const last = bill.at(-1)!.split("|");
      write(folder, "bill.txt", [...bill, values.with(1, last[1]!).with(2, "99999999").with(17, last[2]!).join("|")]);
    });
    expect(findings).toEqual([]);
    expect(differences).toEqual([expect.objectContaining({ decided: "nothing" })]);
    expect(rowsOf(store.folder, "settlements.jsonl").length).toBeGreaterThan(0);
  });
});

/** Works with the store after a vector of the kit, in March 2026. */
async function withVector(
  name: string,
  work: (sql: postgres.Sql) => Promise<void>,
  happened = (event: Event) => event,
): Promise<void> {
  const database = await cloneDatabase();
  const adapter = new StoreAdapter(database.url, true);
  const sql = connect(database.url);
  try {
    await adapter.prepare();
    const vector = readVector(name);
    await adapter.start(startOf(vector));
    await backdate(sql);
    await backdateMembers(sql);
    for (const event of vector.events) await adapter.happen(happened(event));
    await work(sql);
  } finally {
    await adapter.end();
    await sql.end();
    await database.drop();
  }
}

describe("plaintextaccounting/hledger#1728, ledger/ledger#3225: a time does not say what came first", () => {
  // Payments have no position, so that one at the very instant of an earlier settlement cannot be told from one before
  // it (decision 167).
  const beforePayments = ({ do: what }: { do: string }) => (["pay", "notify", "attempt_state"].includes(what) ? 1 : 0);

  it("states what the store has booked if all between two payments happens at the same instant", async () => {
    const database = await cloneDatabase();
    const sql = connect(database.url);
    try {
      await prepareDatabase(sql);
      await backdate(sql);
      let months = 0;
      let audited = 0;
      for (const steps of fc.sample(history, { seed: seed(), numRuns: 20 })) {
        await rolledBack(sql, async (transaction) => {
          for (const month of await runHistory(transaction, steps, beforePayments)) {
            months += 1;
            expect(differencesOf(await journalOf(transaction, month)), month).toEqual([]);
            if (months % 8 !== 1) continue;
            audited += 1;
            expect(await withBundle(transaction, month, undefined, check)).toMatchObject({
              findings: [],
              differences: [],
            });
          }
        });
      }
      expect(audited).toBeGreaterThan(0);
    } finally {
      await sql.end();
      await database.drop();
    }
  });

  it("takes the plan that was booked if plans were made at the very instant of payments and settlements", async () => {
    const instant = "2026-03-01T08:00:00+08:00";
    const work = async (sql: postgres.Sql) => {
      for (const ratio of [0.01, 0.02])
        await sql`select app.create_plan(${sql.json({ people_per_cycle: 1, tier_ratios: [ratio], payout_cap: 0.05 })}, null, ${instant}::timestamptz)`;
      expect(
        (await sql`select from app.settlements as s where s.commission > 0 and s.settled_at = ${instant}`).length,
      ).toBeGreaterThan(0);
      expect(differencesOf(await journalOf(sql, "2026-03"))).toEqual([]);
      expect(await withBundle(sql, "2026-03", undefined, check)).toMatchObject({ findings: [], differences: [] });
    };
    await withVector("sequence_of_payments", work, (event) => ({ ...event, at: instant }));
  });

  it("knows which of two payments of one millisecond came first", async () => {
    // Otherwise both places would give the same sum.
    const cheaper = (event: Event): Event =>
      event.do === "order" && event.order === "late" ? { ...event, lines: [{ product: "filter", units: 1 }] } : event;
    const work = async (sql: postgres.Sql) => {
      // The later payment comes 400 microseconds after the one before it: as a whole number of milliseconds, both have
      // the same time.
      const rows = await sql`
        with paid as (select o.id, o.paid_at, lag(o.paid_at) over (order by o.paid_at) as before, lag(o.id) over (order by o.paid_at) as other from app.orders as o)
        update app.orders as o set paid_at = date_trunc('milliseconds', p.before) + interval '400 microseconds'
        from paid as p where p.id = o.id and p.other > o.id returning o.id`;
      expect(rows.length).toBe(1);
      expect(differencesOf(await journalOf(sql, "2026-03"))).toEqual([]);
    };
    await withVector("sequence_of_payments", work, cheaper);
  });
});

const PAID = "(select s.order_id from app.settlements as s where s.commission > 0 order by s.order_id limit 1)";

describe("a row that somebody has changed by hand", () => {
  it.each<[string, string, RegExp]>([
    [
      "paid before it was placed",
      `update app.orders set paid_at = add_time - interval '3 hours' where id = ${PAID}`,
      /order \d+ \(paid [^,]+, placed /,
    ],
    [
      "settled before it was placed",
      `update app.settlements set settled_at = settled_at - interval '9 days' where order_id = ${PAID}`,
      /order \d+ \(settled [^,]+, placed /,
    ],
    ["without lines", `delete from app.order_lines where order_id = ${PAID}`, /order \d+ \(placed /],
    ["of nobody", `update app.orders set uid = 99999999 where id = ${PAID}`, /order \d+ \(placed /],
    [
      "without queue goods",
      `update app.orders set has_queue_goods = false, queue_base = 0, queue_units = 0 where id = ${PAID}`,
      /order \d+ \(settled /,
    ],
    [
      "a referrer who does not exist",
      "update app.users set spread_uid = 99999999 where spread_uid is not null",
      /the referrer of member \d+ \(member 99999999, /,
    ],
  ])("is named by the journal and the bundle: an order %s", async (_, change, finding) => {
    await withVector("sequence_of_payments", async (sql) => {
      await rolledBack(sql, async (transaction) => {
        await transaction`set local session_replication_role = replica`;
        expect((await transaction.unsafe(change)).count).toBeGreaterThan(0);
        const refused = async (work: () => Promise<unknown>) => {
          const problem = await work().then(
            () => undefined,
            (error: unknown) => error,
          );
          expect(problem).toBeInstanceOf(Problem);
          expect((problem as Problem).message).toMatch(finding);
          expect((problem as Problem).advice).toMatch(/put it right, and run the command again/);
        };
        await refused(() => journalOf(transaction, "2026-03"));
        await refused(() => withBundle(transaction, "2026-03", undefined, check));
      });
    });
  });

  it("is named if a refund takes more than was bought, or comes before the payment", async () => {
    await withVector("refunded_while_it_waits", async (sql) => {
      for (const change of [
        "update app.refund_lines set quantity = quantity + 5",
        "update app.refunds set decided_at = decided_at - interval '400 days'",
      ]) {
        await rolledBack(sql, async (transaction) => {
          await transaction`set local session_replication_role = replica`;
          expect((await transaction.unsafe(change)).count).toBeGreaterThan(0);
          await expect(journalOf(transaction, "2026-03")).rejects.toThrow(
            /contradict each other.*order \d+ \(.*refunded /,
          );
        });
      }
    });
  });
});
