import type postgres from "postgres";
import { error, type Finding } from "../doctor/finding.ts";

/** archived: its table is in schema archive; moved: on another server; dropped: neither. */
type State = "archived" | "moved" | "dropped";

const titles: Record<State, string> = {
  archived: "archived",
  moved: "on another server",
  dropped: "archived, and their tables are dropped",
};

/** The calls that bring the months of a table back, from the first one on. */
function wayBack(state: State, table: string, month: string): string {
  const attach = `call app.attach_months('${table}', '${month}')`;
  if (state === "moved") return `call app.bring_back_months('${table}', '${month}'), then ${attach}`;
  if (state === "dropped")
    return `restore the dumps into schema archive, then ${attach}. Without a dump, the store cannot be updated`;
  return attach;
}

/**
 * The archived months that an update refuses, as its migration does (20261127065339_archived_months_go.sql): of each
 * table and state, with the way back by the version that the store has. Months of the action log that were dropped stay
 * dropped. 0.9.0 moved none. No finding if there are none, or if the store has no such months any more.
 */
export async function archivedFindings(sql: postgres.Sql): Promise<Finding<string>[]> {
  const [store] = await sql<{ archives: boolean }[]>`select to_regclass('app.archived_months') is not null as archives`;
  if (!store!.archives) return [];
  const found = await sql<{ table: string; state: State; months: string[] }[]>`
    select s.table, s.state, array_agg(s.month order by s.month) as months
    from (
      select a.table_name as table, to_char(a.month, 'YYYY-MM') as month, case
        when to_jsonb(a) ->> 'moved_at' is not null then 'moved'
        when to_regclass(format('archive.%I', a.table_name || to_char(a.month, '_YYYYMM'))) is not null then 'archived'
        else 'dropped'
      end as state
      from app.archived_months as a
    ) as s
    where s.state <> 'dropped' or s.table <> 'admin_actions'
    group by s.table, s.state
    order by s.table, s.state`;
  return found.map(({ table, state, months }) =>
    error(
      "archived months",
      `${months.join(", ")} of app.${table} are ${titles[state]}`,
      `With the version that the store has: ${wayBack(state, table, months[0]!)}`,
    ),
  );
}
