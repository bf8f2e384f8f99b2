// Runs the Auth server as a separate process. Its settings are JSON in AUTH_SETTINGS, so that no secret appears in the
// list of processes.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { type AuthSettings, createAuthApp } from "./app.ts";
import { asSignUp, createAuthAdmin } from "./admin.ts";
import { createFactors } from "./factors.ts";
import { withRedirect } from "./mails.ts";
import { createPhoneSignIn, isForPhone } from "./phones.ts";
import { createCompletion } from "./responses.ts";
import { createSessionRecord } from "./sessions.ts";
import { host } from "../ground/ports.ts";

const { port, ...settings } = JSON.parse(process.env.AUTH_SETTINGS ?? "{}") as AuthSettings & { port: number };
const app = createAuthApp(settings);
await app.init();
const admin = createAuthAdmin(settings);
const sessions = createSessionRecord(settings.databaseUrl);
const complete = createCompletion(settings);
const phones = createPhoneSignIn(settings, handle);
const factors = createFactors(settings, handle);
const isForAdmin = (request: Request) => /^\/auth\/v1\/(admin\/|invite$)/.test(new URL(request.url).pathname);
const isForFactors = (request: Request) => /^\/auth\/v1\/factors(\/|$)/.test(new URL(request.url).pathname);
const auth = new Hono();
// Like hosted Auth, which pages of every origin may call.
auth.use(cors());
auth.all("*", async ({ req }) => {
  if (isForAdmin(req.raw)) return withRedirect(req.raw, () => admin.fetch(req.raw));
  if (isForFactors(req.raw)) return factors.fetch(req.raw);
  return (await isForPhone(req.raw)) ? phones.fetch(req.raw) : handle(await asSignUp(req.raw));
});

/** Handles a request that is about neither a phone nor a second factor, with what hosted Auth does in addition. */
async function handle(request: Request): Promise<Response> {
  const refusal = await factors.mayChangeUser(request);
  if (refusal) return refusal;
  await sessions.before(request);
  const response = await withRedirect(request, () => app.fetch(request));
  await sessions.after(request, response);
  return complete(response);
}

const server = serve({ fetch: auth.fetch, hostname: host, port });

process.on("SIGTERM", () => {
  server.close();
  process.exit(0);
});
