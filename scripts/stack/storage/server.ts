// Runs the stand-in of Supabase Storage as a separate process. Its settings are JSON in LOCAL_STORAGE_SETTINGS, so that
// no secret appears in the list of processes.
import { serve } from "@hono/node-server";
import { host } from "../../ground/ports.ts";
import { createLocalStorage, type LocalStorageSettings } from "./app.ts";

const { port, ...settings } = JSON.parse(process.env.LOCAL_STORAGE_SETTINGS ?? "{}") as LocalStorageSettings & {
  port: number;
};
const server = serve({ fetch: createLocalStorage(settings).fetch, hostname: host, port });

process.on("SIGTERM", () => {
  server.close();
  process.exit(0);
});
