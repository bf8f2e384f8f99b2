import type postgres from "postgres";
import { commissionExpenses } from "./expenses.ts";
import type { Entry, Posting } from "./entry.ts";
import { entryText, type Format } from "./formats.ts";

const CHUNK = 5000;

export interface Journal {
  month: string;
  format: Format;
  /** The names of the accounts, by those of the store. */
  accounts: Record<string, string>;
  write: (text: string) => Promise<void>;
  show: (text: string) => void;
}

/**
 * Writes the journal of a month: what members bring into it, every event, and what the accounts must come to. The
 * balances are those of the store, payouts are those of withdrawals, redeemed points those of orders, adjustments those
 * of their records, and commission what the rules make of the orders. Precondition: the connection reads one snapshot.
 * @returns the number of entries
 */
export async function writeJournal(
  sql: postgres.Sql,
  { month, format, accounts, write, show }: Journal,
): Promise<number> {
  const [bounds] = await sql<{ from: Date; to: Date; day: string }[]>`
    select b.begins_at as from, b.ends_at as to, left(app.local_time(b.ends_at, (select s.time_zone from app.settings as s)), 10) as day
    from app.month_bounds(app.month_start(${month})) as b`;
  const { from, to, day } = bounds!;
  const nameOf = ({ account, uid }: Posting) => format.account(`${accounts[account]}${uid === null ? "" : `:${uid}`}`);
  const assertion = (posting: Posting) => format.assertion(day, posting, nameOf(posting));
  const paid = new Set<number>();
  let count = 0;

  await write(format.header);
  for (const part of ["opening", "bill", "payouts", "closing"] as const) {
    for await (const entries of chunks(sql, month, part)) {
      const told = entries.filter(({ postings }) => postings.length > 0);
      const texts = told.map((entry) =>
        part === "closing" ? entry.postings.map(assertion).join("") : entryText(format, entry, nameOf),
      );
      for (const { postings } of told)
        for (const { account, uid } of postings) if (account === "commission_expense") paid.add(uid!);
      if (part !== "closing") count += told.length;
      await write(texts.join(""));
      show(`${count} entries`);
    }
  }
  const [row] = await sql<{ totals: Posting[] }[]>`select app.journal_totals(${month}) as totals`;
  await write(row!.totals.map(assertion).join(""));
  const expenses = await commissionExpenses(sql, from, to, (orders) =>
    show(`${count} entries, the rules on ${orders} orders`),
  );
  for (const uid of new Set([...paid, ...expenses.keys()])) {
    const amount = expenses.get(uid) ?? "0";
    await write(assertion({ account: "commission_expense", uid, amount, currency: "CNY" }));
  }
  return count;
}

async function* chunks(sql: postgres.Sql, month: string, part: string): AsyncGenerator<Entry[]> {
  let cursor: string | null = null;
  do {
    const [row]: { chunk: { entries: Entry[]; next_cursor: string | null } }[] =
      await sql`select app.journal_chunk(${month}, ${part}, ${cursor}, ${CHUNK}) as chunk`;
    yield row!.chunk.entries;
    cursor = row!.chunk.next_cursor;
  } while (cursor !== null);
}
