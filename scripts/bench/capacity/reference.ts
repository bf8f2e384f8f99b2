import { join } from "node:path";
import { runCommand } from "../../ground/run_command.ts";
import type { BenchServer } from "../bench_server.ts";
import { connectTo } from "../bench_server.ts";
import { costOf } from "../session_cost.ts";
import type { Bench } from "../workload.ts";

const SCALE = 10;
const TRANSACTIONS = 300;
const WARM_UP = 5;

/** TPC-B of pgbench in one session: how fast the machine is while something else is measured. */
export class Reference {
  private readonly sql;

  private constructor(
    private readonly server: BenchServer,
    private readonly url: string,
    private readonly transactions: number,
    private readonly scale: number,
  ) {
    this.sql = connectTo(url);
  }

  static async create({ server, size: { share } }: Bench): Promise<Reference> {
    const scale = SCALE * share;
    const url = await server.createDatabase();
    await runCommand(join(server.bin, "pgbench"), ["--initialize", "--quiet", `--scale=${scale}`, url]);
    const reference = new Reference(server, url, TRANSACTIONS * share, scale);
    // The first transactions create plans, and read the pages for the first time.
    for (let round = 0; round < WARM_UP; round += 1) await reference.measure();
    return reference;
  }

  /** Microseconds of processor time for each transaction. */
  async measure(): Promise<number> {
    const { sql, transactions, scale } = this;
    const { cpu } = await costOf(this.server, this.url, sql, async () => {
      for (let made = 0; made < transactions; made += 1) {
        const account = 1 + ((made * 7919) % (100_000 * scale));
        const [teller, branch] = [1 + (made % (10 * scale)), 1 + (made % scale)];
        await sql`begin`;
        await sql`update pgbench_accounts set abalance = abalance + ${made} where aid = ${account}`;
        await sql`select abalance from pgbench_accounts where aid = ${account}`;
        await sql`update pgbench_tellers set tbalance = tbalance + ${made} where tid = ${teller}`;
        await sql`update pgbench_branches set bbalance = bbalance + ${made} where bid = ${branch}`;
        await sql`insert into pgbench_history (tid, bid, aid, delta, mtime) values (${teller}, ${branch}, ${account}, ${made}, current_timestamp)`;
        await sql`commit`;
      }
    });
    return cpu / transactions;
  }

  async drop(): Promise<void> {
    await this.sql.end();
    await this.server.dropDatabases([this.url]);
  }
}
