import { afterAll, beforeAll } from "vitest";
import { type ClonedDatabase, cloneDatabase } from "../support/index.ts";
import { serveAdapter } from "./serve_adapter.ts";
import { StoreAdapter } from "./store_adapter.ts";

/** Serves an adapter of the engine to the tests of a suite: each vector is rolled back by the next one. */
export function useEngine() {
  const served = {} as {
    database: ClonedDatabase;
    adapter: StoreAdapter;
    server: Awaited<ReturnType<typeof serveAdapter>>;
  };
  beforeAll(async () => {
    served.database = await cloneDatabase();
    served.adapter = new StoreAdapter(served.database.url, false);
    await served.adapter.prepare();
    served.server = await serveAdapter(served.adapter);
  });
  afterAll(async () => {
    await served.server.stop();
    await served.adapter.end();
    await served.database.drop();
  });
  return served;
}
