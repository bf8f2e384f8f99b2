import type postgres from "postgres";

/** What can be wrong with a row of the bill, by a statement for the row with an id. */
const errors: [string, string][] = [
  [
    "an amount",
    "update app.user_bill set brokerage_delta = brokerage_delta + case when brokerage_delta <> 0 then 0.01 else 0 end, frozen_delta = frozen_delta + case when brokerage_delta = 0 then 0.0001 else 0 end where id = $1",
  ],
  ["a row that is missing", "delete from app.user_bill where id = $1"],
  [
    "a row that is there twice",
    `insert into app.user_bill (uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, order_id, basis, rate,
      agent_level, passed_on, reverses_id, withdrawal_id, adjustment_id, add_time)
    select uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, order_id, basis, rate, agent_level, passed_on,
      reverses_id, withdrawal_id, adjustment_id, add_time
    from app.user_bill where id = $1`,
  ],
  [
    "a row of another member",
    "update app.user_bill set uid = (select min(u.uid) from app.users as u where u.uid <> app.user_bill.uid) where id = $1",
  ],
  ["a row of another month", "update app.user_bill set add_time = add_time + interval '1 month' where id = $1"],
  [
    "a row of another type",
    "update app.user_bill set type = case when type = 'adjustment' then 'opening_balance' else 'adjustment' end where id = $1",
  ],
];

/** Takes what would refuse a wrong row: an owner of the database can do so. */
export async function disarm(sql: postgres.TransactionSql): Promise<void> {
  await sql.unsafe(`
    set local session_replication_role = replica;
    do $$
    declare
      v_name name;
    begin
      for v_name in select c.conname from pg_constraint as c where c.conrelid = 'app.user_bill'::regclass and c.contype = 'c' loop
        execute format('alter table app.user_bill drop constraint %I', v_name);
      end loop;
    end
    $$`);
}

interface Row {
  id: string;
  type: string;
}

/**
 * The rows of which a second source states the month. A row of points that is the last one of its member has none
 * (decision 0123).
 */
export const datedRows = (sql: postgres.TransactionSql) => sql<Row[]>`
  select b.id, b.type from app.user_bill as b
  where b.type in ('brokerage', 'brokerage_reversal', 'withdrawal', 'withdrawal_returned', 'adjustment') order by b.id`;

/**
 * Plants an error into a row of the bill, as somebody could who owns the database. @param index chooses the kind and
 * the row
 * @returns what was planted
 */
export async function planted(sql: postgres.TransactionSql, index: number): Promise<string> {
  const [kind, statement] = errors[index % errors.length]!;
  const rows =
    kind === "a row of another month"
      ? await datedRows(sql)
      : await sql<Row[]>`select b.id, b.type from app.user_bill as b order by b.id`;
  const { id, type } = rows[(index * 7919) % rows.length]!;
  await sql.unsafe(statement, [id]);
  return `${kind}: ${type} ${id}`;
}
