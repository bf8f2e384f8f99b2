// Runs the Auth server as a separate process. Its settings are JSON in AUTH_SETTINGS, so that no secret appears in the list of
// processes.
import { serve } from "@hono/node-server";
import { type AuthSettings, createAuthApp } from "./auth_app.ts";
import { host } from "./ports.ts";

const { port, ...settings } = JSON.parse(process.env.AUTH_SETTINGS ?? "{}") as AuthSettings & { port: number };
const app = createAuthApp(settings);
await app.init();
const server = serve({ fetch: (request) => app.fetch(request), hostname: host, port });

process.on("SIGTERM", () => {
  server.close();
  process.exit(0);
});
