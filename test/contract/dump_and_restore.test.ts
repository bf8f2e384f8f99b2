import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lacking, testContext } from "../../scripts/testing/context.ts";
import { cloneDatabase, type ClonedDatabase, connect, skipFor } from "../support/index.ts";

const run = promisify(execFile);
const { clientPrograms } = testContext();
const program = (name: string) => join(clientPrograms!, name);

let source: ClonedDatabase;
let target: ClonedDatabase;

beforeAll(async () => {
  [source, target] = await Promise.all([cloneDatabase(), cloneDatabase("platform")]);
});
afterAll(() => Promise.all([source?.drop(), target?.drop()]));

skipFor(it, lacking("pg_dump"))(
  "a restored dump has the sums of a closed month, and rejects later rows of it",
  async () => {
    const sql = connect(source.url);
    const [month] = await sql`
    select to_char(m, 'YYYY-MM') as name, day, (day at time zone 'UTC')::date as utc_day
    from date_trunc('month', now() - interval '2 months') as m, lateral (select app.day_begins(m::date) + interval '9 days') as d (day)`;
    await sql`call app.ensure_month_partitions(${month!.utc_day}::date, ${month!.utc_day}::date)`;
    await sql`
    with member as (insert into app.users (nickname) values ('Member') returning uid),
    balances as (insert into app.user_balances (uid, brokerage_price) select uid, 12.34 from member returning uid),
    adjusted as (
      insert into app.adjustments (uid, brokerage_delta, reason, state, add_time, decided_at) select uid, 12.34, 'Test', 'booked', ${month!.day}, ${month!.day} from balances returning id, uid
    )
    insert into app.user_bill (uid, type, source, brokerage_delta, brokerage_after, frozen_after, available_after, adjustment_id, add_time)
    select uid, 'adjustment', 'adjustment', 12.34, 12.34, 0, 0, id, ${month!.day} from adjusted`;
    const [{ sums } = {}] = await sql`select sums from app.close_month(${month!.name}, null)`;
    await sql.end();

    const { stderr } = await run("bash", [
      "-c",
      `set -o pipefail; "$1" --schema=app --schema=api --schema=compacted --schema=report "$2" | "$3" --quiet --set=ON_ERROR_STOP=1 "$4"`,
      "-",
      program("pg_dump"),
      source.url,
      program("psql"),
      target.url,
    ]);
    expect(stderr).toBe("");

    const restored = connect(target.url);
    try {
      expect([...(await restored`select to_char(month, 'YYYY-MM') as month, sums from app.closed_months`)]).toEqual([
        { month: month!.name, sums },
      ]);
      expect([...(await restored`select * from app.reconcile()`)]).toEqual([]);
      const late = restored`
      insert into app.user_bill (uid, type, source, available_delta, brokerage_after, frozen_after, available_after, adjustment_id, add_time)
      select b.uid, b.type, b.source, 1, b.brokerage_after, 0, 1, b.adjustment_id, b.add_time + interval '1 hour' from app.user_bill as b`;
      await expect(late).rejects.toThrow("month_closed");
    } finally {
      await restored.end();
    }
  },
);
