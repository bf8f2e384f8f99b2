import { afterAll, beforeAll, describe, vi } from "vitest";
import { lacking } from "../../scripts/testing/context.ts";
import { skipFor } from "../support/skip.ts";
import { ShardedStack } from "../support/sharded_stack.ts";
import { onShardsVariable } from "../support/unrouted.ts";

// The tests that a member reaches nothing of another one, through the router. The owner of the records and the referrer
// are on one shard, the neighbour and the administrators on any: members without a referrer take turns.
skipFor(describe, lacking("plproxy"))("on shards", async () => {
  const sharded = new ShardedStack();
  beforeAll(() => sharded.start(), 300_000);
  afterAll(() => sharded.remove());
  vi.stubEnv(onShardsVariable, "1");
  await import("../api/things_of_other_members.test.ts");
  vi.unstubAllEnvs();
});
