import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { lastLines, runCommand } from "../ground/run_command.ts";
import { percentile } from "./statistics.ts";

/** The parameters of one run of pgbench. */
export interface Load {
  /** A pgbench script. `tpcb-like` is built into pgbench. */
  script: string;
  clients: number;
  /** Transactions per client. A fixed number instead of a duration, so that both sides do the same work. */
  transactions: number;
  /** Limits the transactions per second of all clients together. */
  rate?: number;
}

/** The result of a run. */
export interface LoadResult {
  transactionsPerSecond: number;
  /** Milliseconds. */
  latency: { p50: number; p95: number; p99: number };
  walBytesPerTransaction: number;
  /** Share of updates that needed no new index entries; undefined when nothing was updated. */
  hotShare?: number;
  deadlocks: number;
  /** The sampled wait events of sessions, most frequent first, as shares of all samples. */
  waits: [event: string, share: number][];
}

interface Counters {
  wal: string;
  deadlocks: string;
  updated: string;
  hot: string;
}

const SAMPLE_EVERY_MS = 50;
const WARM_UP = 10;

async function counters(sql: postgres.Sql): Promise<Counters> {
  const [row] = await sql<Counters[]>`
    select pg_current_wal_insert_lsn() - '0/0' as wal,
      (select deadlocks from pg_stat_database where datname = current_database()) as deadlocks,
      (select sum(n_tup_upd) from pg_stat_user_tables) as updated,
      (select sum(n_tup_hot_upd) from pg_stat_user_tables) as hot`;
  return row as Counters;
}

/** Samples the wait events of the sessions of pgbench until it is stopped. */
function watchWaits(sql: postgres.Sql): () => Promise<[string, number][]> {
  const seen = new Map<string, number>();
  let looking = true;
  const watching = (async () => {
    while (looking) {
      const rows = await sql<{ event: string }[]>`
        select coalesce(wait_event_type || ':' || wait_event, 'CPU') as event
        from pg_stat_activity where application_name = 'pgbench' and datname = current_database() and state = 'active'`;
      for (const { event } of rows) seen.set(event, (seen.get(event) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
    }
  })();
  return async () => {
    looking = false;
    await watching;
    const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
    return [...seen].map(([event, count]): [string, number] => [event, count / total]).sort((a, b) => b[1] - a[1]);
  };
}

interface Transaction {
  client: number;
  /** Both in milliseconds; `end` since 1970. */
  duration: number;
  end: number;
}

/** Reads all transactions from the logs of pgbench, sorted by their end. */
function readLogs(folder: string): Transaction[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith("transactions."))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => line.split(" ").map(Number) as [number, number, number, number, number, number])
    .map(([client, , duration, , seconds, microseconds]) => ({
      client,
      duration: duration / 1000,
      end: seconds * 1000 + microseconds / 1000,
    }))
    .sort((a, b) => a.end - b.end);
}

/**
 * The transactions after every client has completed its first few, and before the first client finishes. A new session
 * first compiles functions and creates plans, which a connection pool does only once.
 */
function steadyPart(transactions: Transaction[], load: Load): { part: Transaction[]; seconds: number } {
  const warmUp = Math.min(WARM_UP, Math.floor(load.transactions / 4));
  const done = new Map<number, number>();
  let from = 0;
  let to = transactions.length - 1;
  transactions.forEach(({ client }, position) => {
    const count = (done.get(client) ?? 0) + 1;
    done.set(client, count);
    if (count <= warmUp) from = position;
    if (count === load.transactions) to = Math.min(to, position);
  });
  // With few transactions or unfair locks, there may be none in between. Then all transactions count.
  if (to - from < transactions.length / 4) [from, to] = [0, transactions.length - 1];
  return {
    part: transactions.slice(from + 1, to + 1),
    seconds: ((transactions[to]?.end ?? 0) - (transactions[from]?.end ?? 0)) / 1000,
  };
}

/**
 * Runs pgbench once, with prepared statements.
 * @param bin the folder of pgbench
 * @throws Error with the end of its output if a transaction fails
 */
export async function runPgbench(bin: string, databaseUrl: string, load: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), "store-bench-"));
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    const script = join(folder, "script.sql");
    writeFileSync(script, `${load.script}\n`);
    const before = await counters(sql);
    const waits = watchWaits(sql);
    const args = [
      "--no-vacuum",
      "--protocol=prepared",
      `--client=${load.clients}`,
      `--jobs=${Math.min(2, load.clients)}`,
      `--transactions=${load.transactions}`,
      "--log",
      `--log-prefix=${join(folder, "transactions")}`,
      ...(load.rate ? [`--rate=${load.rate}`] : []),
      ...(load.script === "tpcb-like" ? ["--builtin=tpcb-like"] : [`--file=${script}`]),
      databaseUrl,
    ];
    const { code, output } = await runCommand(join(bin, "pgbench"), args, { cwd: folder });
    const seen = await waits();
    if (code !== 0) throw new Error(`pgbench failed:\n${lastLines(output)}`);
    // Sessions report their statistics when they end, shortly after pgbench exits.
    await sql`select pg_stat_force_next_flush()`.catch(() => undefined);
    const after = await counters(sql);
    const count = load.clients * load.transactions;
    const updated = Number(after.updated) - Number(before.updated);
    const { part, seconds } = steadyPart(readLogs(folder), load);
    const times = part.map(({ duration }) => duration);
    return {
      transactionsPerSecond: part.length / seconds,
      latency: { p50: percentile(times, 50), p95: percentile(times, 95), p99: percentile(times, 99) },
      walBytesPerTransaction: (Number(after.wal) - Number(before.wal)) / count,
      hotShare: updated > 0 ? (Number(after.hot) - Number(before.hot)) / updated : undefined,
      deadlocks: Number(after.deadlocks) - Number(before.deadlocks),
      waits: seen,
    };
  } finally {
    await sql.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
