import { afterAll, beforeAll, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

it("every job that commits in batches ends its run, so that nothing continues it", async () => {
  const jobs = await store.sql`
    select name, command from app.scheduled_jobs where command like 'call %' and name <> 'continue_unfinished_runs' order by name`;
  await store.sql`delete from app.job_runs`;
  for (const { command } of jobs) await store.sql.unsafe(command as string);
  const runs =
    await store.sql`select job, bool_and(ended_at is not null) as has_ended from app.job_runs group by job order by job`;
  expect(runs).toEqual(jobs.map(({ name }) => ({ job: name as string, has_ended: true })));
});
