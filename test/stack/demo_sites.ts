// Runs stores with the demo month for the tests of pages, as a separate process: DEMO_SITES has its port and the folder
// of the stopped store that is copied. POST /?last=<number> gives a store, with the month as it was, and preferably the
// one that the caller had last, whose pages its browser knows; DELETE /<number> takes it back. A store that was used
// gets only its data anew, which takes a fraction of a start.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { freePort, host } from "../../scripts/ground/ports.ts";
import type { StackInfo } from "../../scripts/ground/stack_file.ts";
import { type RunningStack, startStack } from "../../scripts/stack/stack.ts";
import type { CommandPlace } from "../../scripts/testing/command.ts";
import { copyDemoStore, type DemoSitesSettings, replaceByDemoStore } from "../../scripts/testing/demo_store.ts";

interface Site {
  at: CommandPlace;
  stack: RunningStack;
  isFree: boolean;
}

/** A store that a test file has until it gives it back. */
export interface LentSite {
  number: number;
  info: StackInfo;
  /** The folder of the mails of its Auth server. */
  mails: string;
}

const { port, directory } = JSON.parse(process.env.DEMO_SITES ?? "{}") as DemoSitesSettings;
const sites: Site[] = [];

async function start(): Promise<Site> {
  const at = await copyDemoStore(directory);
  const stack = await startStack({
    place: at.place,
    gatewayPort: await freePort(),
    databasePort: await freePort(),
    forTests: false,
  });
  const site = { at, stack, isFree: false };
  sites.push(site);
  return site;
}

/** Gives a store the data of the demo month again. */
async function renew(site: Site): Promise<Site> {
  site.isFree = false;
  await site.stack.replaceData((data) => replaceByDemoStore(directory, data));
  return site;
}

const app = new Hono()
  // The file that asked for the store reports why there is none.
  .onError((error, context) => context.text(error.stack ?? error.message, 500))
  .post("/", async (context) => {
    const last = sites[Number(context.req.query("last"))];
    const free = last?.isFree ? last : sites.find(({ isFree }) => isFree);
    const site = free ? await renew(free) : await start();
    return context.json<LentSite>({ number: sites.indexOf(site), info: site.stack.info, mails: site.at.place.mails });
  })
  .delete("/:number", (context) => {
    sites[Number(context.req.param("number"))]!.isFree = true;
    return context.body(null, 204);
  });
const server = serve({ fetch: app.fetch, hostname: host, port });

process.on("SIGTERM", () => {
  server.close();
  void Promise.all(
    sites.map(async ({ at, stack }) => {
      await stack.stop();
      await at.remove();
    }),
  ).finally(() => process.exit(0));
});
