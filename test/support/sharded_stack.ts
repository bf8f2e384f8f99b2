import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeData } from "../../scripts/postgres/cluster.ts";
import { freePort } from "../../scripts/ground/ports.ts";
import { findInstall } from "../../scripts/postgres/install.ts";
import { readState } from "../../scripts/ground/state.ts";
import { type RunningStack, startStack } from "../../scripts/stack/stack.ts";
import { testContext } from "../../scripts/testing/context.ts";
import { newPlace } from "../../scripts/testing/new_place.ts";
import { childPids } from "../../scripts/testing/processes.ts";

/** How many shards the stack has. */
export const SHARDS = 2;

/** A stack with shards, to which the clients of the tests are directed instead of the stack of `npm test`. */
export class ShardedStack {
  private readonly place = newPlace("store-shards-");
  private readonly context = process.env.STORE_TEST_CONTEXT!;
  private running: RunningStack | undefined;

  /** Starts the stack, a new one with shards, and another time with the same data. */
  async start(): Promise<void> {
    const isNew = this.running === undefined;
    this.running = await startStack({
      place: this.place,
      gatewayPort: await freePort(),
      databasePort: await freePort(),
      forTests: false,
      ...(isNew && { shards: SHARDS }),
    });
    process.env.STORE_TEST_CONTEXT = JSON.stringify({ ...testContext(), stack: this.running.info });
  }

  /** Stops all processes of a shard, and keeps its connections open. @returns a function that lets them go on */
  freeze(shard: number): () => void {
    const { data_directory } = readState(this.place.shard(shard))!;
    const pid = Number(readFileSync(join(data_directory, "postmaster.pid"), "utf8").split("\n")[0]);
    const pids = [pid, ...childPids(pid)];
    const send = (signal: NodeJS.Signals) => {
      for (const each of pids) {
        try {
          process.kill(each, signal);
        } catch (error) {
          // A process that was ending is gone.
          if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
        }
      }
    };
    send("SIGSTOP");
    return () => send("SIGCONT");
  }

  async stop(): Promise<void> {
    process.env.STORE_TEST_CONTEXT = this.context;
    await this.running?.stop();
  }

  async remove(): Promise<void> {
    await this.stop();
    const install = findInstall();
    for (const place of [this.place, ...Array.from({ length: SHARDS }, (_, shard) => this.place.shard(shard))])
      await removeData(place, install);
    rmSync(this.place.directory, { recursive: true, force: true });
  }
}
