import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type postgres from "postgres";
import { accountPlan } from "../../scripts/journal/accounts.ts";
import { formats } from "../../scripts/journal/formats.ts";
import { writeJournal } from "../../scripts/journal/write_journal.ts";
import { DatabaseStore } from "../../scripts/histories/database_store.ts";
import { actionsOf } from "../../scripts/histories/history.ts";
import type { Action } from "../../scripts/model/actions.ts";
import { applyToModel } from "../../scripts/model/apply.ts";
import { Store } from "../../scripts/model/store.ts";
import { bookkeepers, type Bookkeeper, objectionOf } from "./bookkeepers.ts";

/** Histories happen in a past in which the database did not exist yet: what it dates by itself is dated before them. */
export async function backdate(sql: Pick<postgres.Sql, "unsafe">): Promise<void> {
  await sql.unsafe(`
    alter table app.commission_plans disable trigger user;
    update app.commission_plans set created_at = '2025-01-01' where version = (select min(version) from app.commission_plans);
    alter table app.commission_plans enable trigger user`);
}

/** The referrers with whom members have signed up, dated before the histories, with their events. */
export async function backdateMembers(sql: Pick<postgres.Sql, "unsafe">): Promise<void> {
  await sql.unsafe(`
    alter table app.events disable trigger events_are_never_changed;
    update app.events as e set add_time = '2025-01-02' from app.users as u
    where e.type = 'member.referred' and e.subject_id = u.uid and u.spread_time = u.add_time and e.add_time = u.add_time;
    alter table app.events enable trigger events_are_never_changed;
    update app.users set add_time = '2025-01-02', spread_time = '2025-01-02' where spread_time = add_time`);
}

/**
 * A store after a random history, without compacted months.
 * @param pauseBefore how many milliseconds pass before an action; 0: it has the time of the one before it
 * @returns the months with rows
 */
export async function runHistory(
  sql: postgres.Sql | postgres.TransactionSql,
  steps: Parameters<typeof actionsOf>[0][],
  pauseBefore: (action: Action) => number = () => 1000,
): Promise<string[]> {
  const model = new Store();
  const database = new DatabaseStore(sql, false);
  for (const step of steps) {
    for (const action of actionsOf(step, model)) {
      if (action.do === "compact" || action.do === "expand") continue;
      model.now += pauseBefore(action);
      applyToModel(model, action);
      const day =
        action.do === "release" && action.daysFromToday !== null ? model.businessDay(action.daysFromToday) : null;
      await database.apply(action, model.now, day);
      if (action.do === "sign_up") await backdateMembers(sql);
    }
  }
  const rows = await sql<
    { month: string }[]
  >`select distinct to_char(app.month_of(b.add_time), 'YYYY-MM') as month from app.user_bill as b order by 1`;
  return rows.map(({ month }) => month);
}

/** The journal of a month. */
export async function journalOf(
  sql: postgres.Sql | postgres.TransactionSql,
  month: string,
  program: Bookkeeper = "hledger",
): Promise<string> {
  const texts: string[] = [];
  await writeJournal(sql as postgres.Sql, {
    month,
    format: formats[program],
    accounts: accountPlan(),
    write: (text) => Promise.resolve(void texts.push(text)),
    show: () => undefined,
  });
  return texts.join("");
}

/** The programs that have something against the journal of one of the months. */
export async function objectors(
  sql: postgres.Sql | postgres.TransactionSql,
  months: string[],
): Promise<Map<Bookkeeper, string>> {
  const folder = mkdtempSync(join(tmpdir(), "journal-"));
  const found = new Map<Bookkeeper, string>();
  try {
    for (const month of months) {
      for (const program of bookkeepers) {
        const file = join(folder, `${month}.${formats[program].extension}`);
        writeFileSync(file, await journalOf(sql, month, program));
        const objection = objectionOf(program, file);
        if (objection !== undefined) found.set(program, `${month}: ${objection}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return found;
}
