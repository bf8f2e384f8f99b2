import { type ServerType, serve } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { proxy } from "hono/proxy";
import { consolePath, serveConsole } from "./console.ts";
import { documentation, documentationPath } from "./documentation.ts";
import { host } from "./ports.ts";

/** Path prefix to port; the longest prefix that fits is taken. */
export interface Upstream {
  /** As the client sees it, without a slash at the end. */
  prefix: string;
  port: number;
  /** What is taken off the front before the request goes on. */
  strip: string;
}

/** What `fetch` refuses to send on. */
const unforwardable = ["TRACE", "TRACK"];

function problem(context: Context, status: 404 | 405 | 421 | 502, code: string, title: string, detail: string) {
  return context.body(JSON.stringify({ type: "about:blank", title, status, code, detail }), status, { "content-type": "application/problem+json" });
}

/** The built admin console, and the key that it needs to sign people in. */
export interface ConsoleFiles {
  folder: string;
  publishableKey: string;
}

/** Names of this machine. A page of another name that resolves to this machine would otherwise read what the gateway answers. */
const ownNames = ["127.0.0.1", "localhost", "[::1]"];

/** Whether a request was meant for this gateway. @param allowed further names, with commas between them */
function isOwnName(header: string | undefined, allowed: string): boolean {
  const name = header?.replace(/:\d*$/, "").toLowerCase();
  return name !== undefined && [...ownNames, ...allowed.split(",").map((each) => each.trim().toLowerCase())].includes(name) && name !== "";
}

function createGateway(upstreams: Upstream[], { folder, publishableKey }: ConsoleFiles) {
  const app = new Hono();
  app.use(async (context, next) => {
    if (isOwnName(context.req.header("host"), process.env.GATEWAY_HOSTS ?? "")) return next();
    return problem(context, 421, "unknown_host", "The gateway is not known by this name", `Use ${ownNames[0]} or localhost, or name further hosts in GATEWAY_HOSTS.`);
  });
  // As static hosts and the gateway of hosted Supabase do: text, scripts, styles and JSON.
  app.use(compress());
  app.route(documentationPath, documentation(publishableKey));
  app.get(consolePath, (context) => context.redirect(`${consolePath}/`));
  app.route(consolePath, serveConsole(folder, publishableKey));
  for (const { prefix, port, strip } of upstreams) {
    const forward = async (context: Context) => {
      if (unforwardable.includes(context.req.method)) return problem(context, 405, "method_not_allowed", "That method is not taken here", "Use another one.");
      const { pathname, search, host: publicHost, protocol } = new URL(context.req.url);
      try {
        return await proxy(`http://${host}:${port}${pathname.slice(strip.length)}${search}`, {
          raw: context.req.raw,
          // Redirects and large bodies are the client's business, not ours.
          redirect: "manual",
          headers: { ...context.req.header(), host: undefined, "x-forwarded-host": publicHost, "x-forwarded-proto": protocol.slice(0, -1) },
        });
      } catch {
        if (context.req.raw.signal.aborted) return context.body(null, 499 as never);
        return problem(context, 502, "upstream_unreachable", "A part of the stack does not answer", `What serves ${prefix} is not running. Its log is in .local/logs/.`);
      }
    };
    app.all(prefix, forward);
    app.all(`${prefix}/*`, forward);
  }
  app.notFound((context) => problem(context, 404, "not_found", "Nothing is served here", `The paths are ${[...upstreams.map(({ prefix }) => prefix), `${consolePath}/`, documentationPath].join(", ")}.`));
  return app;
}

/** Serves the one public address of the stack. @returns a function that stops it */
export async function startGateway(port: number, upstreams: Upstream[], consoleFiles: ConsoleFiles): Promise<() => Promise<void>> {
  const app = createGateway(upstreams, consoleFiles);
  const server = await new Promise<ServerType>((resolve, reject) => {
    const listening: ServerType = serve({ fetch: app.fetch, hostname: host, port }, () => resolve(listening));
    listening.once("error", reject);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      if ("closeAllConnections" in server) server.closeAllConnections();
    });
}
