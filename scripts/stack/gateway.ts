import { type ServerType, serve } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { proxy } from "hono/proxy";
import { demoPictures, demoPicturesPath } from "../demo/pictures.ts";
import { documentation, documentationPath } from "./documentation.ts";
import { host, portProblem } from "../ground/ports.ts";
import { serveSite, type StaticSite } from "./static_site.ts";

/** A server behind the gateway. The first upstream whose prefix matches is used. */
export interface Upstream {
  /** The path prefix of the public address, without a trailing slash. */
  prefix: string;
  /** It may change while the gateway runs. */
  port: number;
  /** The prefix to remove before the request is forwarded. */
  strip: string;
}

/** Methods that `fetch` cannot forward. */
const unforwardable = ["TRACE", "TRACK"];

function problem(context: Context, status: 404 | 405 | 421 | 502, code: string, title: string, detail: string) {
  return context.body(JSON.stringify({ type: "about:blank", title, status, code, detail }), status, {
    "content-type": "application/problem+json",
  });
}

/** The built sites with their folders, and the key that they need for signing in. */
export interface BuiltSites {
  sites: { site: StaticSite; folder: string; pages?: string }[];
  publishableKey: string;
}

/** Host names of this machine. Other host names are rejected to prevent DNS rebinding. */
const ownNames = ["127.0.0.1", "localhost", "[::1]"];

/** Whether the Host header names this gateway. @param allowed additional names, comma-separated */
function isOwnName(header: string | undefined, allowed: string): boolean {
  const name = header?.replace(/:\d*$/, "").toLowerCase();
  return name !== undefined && [...ownNames, ...allowed.split(",").map((each) => each.trim().toLowerCase())].includes(name) && name !== "";
}

function createGateway(upstreams: Upstream[], { sites, publishableKey }: BuiltSites) {
  const app = new Hono();
  app.use(async (context, next) => {
    if (isOwnName(context.req.header("host"), process.env.GATEWAY_HOSTS ?? "")) return next();
    return problem(
      context,
      421,
      "unknown_host",
      "Unknown host name",
      `Use ${ownNames[0]} or localhost, or add the host name to GATEWAY_HOSTS.`,
    );
  });
  // Compresses text, scripts, styles and JSON, as static hosts and the gateway of hosted Supabase do.
  app.use(compress());
  app.route(documentationPath, documentation(publishableKey));
  app.route(demoPicturesPath, demoPictures());
  for (const { site, folder, pages } of sites) {
    // A share link names the referrer in its query.
    app.get(site.path, (context) => context.redirect(`${site.path}/${new URL(context.req.url).search}`));
    app.route(site.path, serveSite(site, folder, publishableKey, pages));
  }
  for (const upstream of upstreams) {
    const { prefix, strip } = upstream;
    const forward = async (context: Context) => {
      if (unforwardable.includes(context.req.method))
        return problem(context, 405, "method_not_allowed", "Method not allowed", "Use another method.");
      const { pathname, search, host: publicHost, protocol } = new URL(context.req.url);
      try {
        return await proxy(`http://${host}:${upstream.port}${pathname.slice(strip.length)}${search}`, {
          raw: context.req.raw,
          // Redirects are passed on to the client.
          redirect: "manual",
          headers: { ...context.req.header(), host: undefined, "x-forwarded-host": publicHost, "x-forwarded-proto": protocol.slice(0, -1) },
        });
      } catch {
        if (context.req.raw.signal.aborted) return context.body(null, 499 as never);
        return problem(
          context,
          502,
          "upstream_unreachable",
          "A part of the stack does not respond",
          `The server of ${prefix} is not running. Its log is in .local/logs/.`,
        );
      }
    };
    app.all(prefix, forward);
    app.all(`${prefix}/*`, forward);
  }
  app.notFound((context) =>
    problem(
      context,
      404,
      "not_found",
      "Unknown path",
      `Available paths: ${[...upstreams.map(({ prefix }) => prefix), ...sites.map(({ site }) => `${site.path}/`), documentationPath].join(", ")}.`,
    ),
  );
  return app;
}

/** Starts the gateway, the public address of the stack. @returns a function that stops it. @throws Problem if another program has taken its port meanwhile */
export async function startGateway(port: number, upstreams: Upstream[], built: BuiltSites): Promise<() => Promise<void>> {
  const app = createGateway(upstreams, built);
  const server = await new Promise<ServerType>((resolve, reject) => {
    const listening: ServerType = serve({ fetch: app.fetch, hostname: host, port }, () => resolve(listening));
    listening.once("error", (error: unknown) => reject(portProblem(port, "PORT", error)));
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      if ("closeAllConnections" in server) server.closeAllConnections();
    });
}
