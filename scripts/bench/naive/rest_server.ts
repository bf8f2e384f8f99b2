// Serves a REST API for the tables of schema public in a separate process. Its settings are JSON in REST_SETTINGS.
import { serve } from "@hono/node-server";
import { App } from "@supabase/lite";
import { createPostgresConnection } from "@supabase/lite/postgres";
import { host } from "../../ground/ports.ts";

const { port, databaseUrl, secretKey } = JSON.parse(process.env.REST_SETTINGS ?? "{}") as {
  port: number;
  databaseUrl: string;
  secretKey: string;
};
const app = new App({
  connection: createPostgresConnection({ url: databaseUrl, postgresOptions: { max: 16, onnotice: () => undefined } }),
  auth: {
    enabled: true,
    jwt_secret: secretKey.padEnd(32, "0"),
    publishable_key: "sb_publishable_bench",
    secret_key: secretKey,
    site_url: `http://${host}:${port}`,
  },
  db: { migrations: { enabled: false } },
});
await app.init();
serve({ fetch: (request) => app.fetch(request), hostname: host, port });
