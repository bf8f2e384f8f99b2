// Runs the local payment provider as a separate process. Its settings are JSON in LOCAL_PAYMENTS_SETTINGS, so that no
// secret appears in the list of processes.
import { serve } from "@hono/node-server";
import { host } from "../../ground/ports.ts";
import { createLocalPayments, type LocalPaymentsSettings } from "./app.ts";
import { Ledger } from "./ledger.ts";

const { port, file, ...settings } = JSON.parse(process.env.LOCAL_PAYMENTS_SETTINGS ?? "{}") as LocalPaymentsSettings & {
  port: number;
  file: string;
};
const server = serve({ fetch: createLocalPayments(settings, new Ledger(file)).fetch, hostname: host, port });

process.on("SIGTERM", () => {
  server.close();
  process.exit(0);
});
