import { milliseconds } from "../compare.ts";
import { drain } from "../data/drain.ts";
import { createData, withSql } from "../data/load_data.ts";
import { median } from "../statistics.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

/** The rows of fifty settlements and nothing else, until no job is left. */
const WRITE_BATCHES = `
do $$
begin
  loop
    with taken as (
      delete from app.settlement_jobs as j
      where j.order_id in (select w.order_id from app.settlement_jobs as w order by w.run_after, w.order_id for update skip locked limit 50)
      returning j.order_id
    ),
    r as materialized (select r.* from bench.recorded as r join taken as t on t.order_id = r.order_id),
    settlement as (insert into app.settlements select (r.settlement).* from r),
    bill as (
      insert into app.user_bill (
        uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after,
        order_id, basis, rate, agent_level, passed_on, add_time
      )
      select
        l.uid, l.type, l.source, l.brokerage_delta, l.frozen_delta, l.available_delta, l.brokerage_after, l.frozen_after,
        l.available_after, l.order_id, l.basis, l.rate, l.agent_level, l.passed_on, clock_timestamp()
      from r, unnest(r.bill) as l
    )
    update app.user_balances as b
    set brokerage_price = b.brokerage_price + c.brokerage, frozen_points = b.frozen_points + c.points,
        umbrella_orders = b.umbrella_orders + c.umbrella_orders
    from (
      select c.uid, sum(c.brokerage) as brokerage, sum(c.points) as points, sum(c.umbrella_orders) as umbrella_orders
      from r, unnest(r.changes) as c group by c.uid
    ) as c
    where b.uid = c.uid;
    exit when not found;
    commit;
  end loop;
end
$$`;

/** Milliseconds per job, the median of the rounds, each on a copy of its own. */
async function perJob(bench: Bench, data: string, jobs: number, work: (url: string) => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    bench.show(`${jobs} jobs, round ${round} of ${rounds}`);
    const url = await bench.server.createDatabase(data);
    times.push(await milliseconds({ prepare: () => bench.server.settle(), run: () => work(url) }, round));
    await bench.server.dropDatabases([url]);
  }
  return median(times) / jobs;
}

export const drainBacklog: Workload = {
  name: "drain",
  title: "Drain waiting jobs, beside a bare queue that writes the same rows",
  async run(bench) {
    const comparisons: Comparison[] = [];
    for (const jobs of bench.size.backlogs) {
      // A long backlog is its own average.
      const rounds = jobs > 20_000 ? 1 : bench.size.rounds;
      const data = await createData(bench.server, {
        members: bench.size.tree, referrer: RANDOM_TREE, prepare: "call bench.set_grades()", paid: true, recorded: true, buyers: `bench.zipf_buyers(${jobs})`,
      });
      const ours = await perJob(bench, data, jobs, (url) => drain(url), rounds);
      const baseline = await perJob(bench, data, jobs, (url) => withSql(url, (sql) => sql.unsafe(WRITE_BATCHES)), rounds);
      await bench.server.dropDatabases([data]);
      comparisons.push({ name: `${jobs} jobs`, ours, baseline, unit: "ms/job", ratio: ours / baseline, better: "lower" });
    }
    const [few, many] = [comparisons[0], comparisons.at(-1)];
    if (few && many) {
      comparisons.push({
        name: `${bench.size.backlogs.at(-1)} jobs beside ${bench.size.backlogs[0]}`, ours: many.ours, baseline: few.ours, unit: "ms/job",
        ratio: many.ours / few.ours, better: "lower", aim: 1.2,
      });
    }
    return comparisons;
  },
};
