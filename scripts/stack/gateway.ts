import { createServer, type IncomingMessage } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { demoPictures, demoPicturesPath } from "../demo/pictures.ts";
import { documentation, documentationPath } from "./documentation.ts";
import { forward } from "./forward.ts";
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

/** Methods that no server behind the gateway takes. */
const unforwardable = ["TRACE", "TRACK"];

/** A new object each time: the server adds to the headers of a response. */
const problemHeaders = () => ({ "content-type": "application/problem+json" });
const problemText = (status: number, code: string, title: string, detail: string) =>
  JSON.stringify({ type: "about:blank", title, status, code, detail });

const problem = (context: Context, status: 404 | 405 | 421, ...rest: [code: string, title: string, detail: string]) =>
  context.body(problemText(status, ...rest), status, problemHeaders());

/** A site: its build, or the server of its sources. */
export type ServedSite = { site: StaticSite; pages?: string } & ({ folder: string } | { port: number });

/** The sites, and the key that they need for signing in. */
export interface ServedSites {
  sites: ServedSite[];
  publishableKey: string;
}

/** Host names of this machine. Other host names are rejected to prevent DNS rebinding. */
const ownNames = ["127.0.0.1", "localhost", "[::1]"];

/** Whether the Host header names this gateway. GATEWAY_HOSTS has additional names, comma-separated. */
function isOwnName(header: string | undefined): boolean {
  const name = header?.replace(/:\d*$/, "").toLowerCase();
  const allowed = (process.env.GATEWAY_HOSTS ?? "").split(",").map((each) => each.trim().toLowerCase());
  return name !== undefined && [...ownNames, ...allowed].includes(name) && name !== "";
}

/** What the gateway serves itself: the sites, and problems. */
function createSites(upstreams: Upstream[], { sites, publishableKey }: ServedSites) {
  const app = new Hono();
  app.use(async (context, next) => {
    if (isOwnName(context.req.header("host"))) return next();
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
  for (const { site, pages, ...served } of sites) {
    // A share link names the referrer in its query.
    app.get(site.path, (context) => context.redirect(`${site.path}/${new URL(context.req.url).search}`));
    if ("folder" in served) app.route(site.path, serveSite(site, served.folder, publishableKey, pages));
  }
  // Only what cannot be forwarded arrives here.
  for (const { prefix } of upstreams)
    for (const path of [prefix, `${prefix}/*`])
      app.all(path, (context) =>
        problem(context, 405, "method_not_allowed", "Method not allowed", "Use another method."),
      );
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

/** The address under which the gateway was called, if it is one. */
function addressOf({ url = "", headers }: IncomingMessage): URL | undefined {
  const base = `http://${headers.host}`;
  return URL.canParse(url, base) ? new URL(url, base) : undefined;
}

/**
 * Starts the gateway, the public address of the stack.
 * @returns a function that stops it.
 * @throws Problem if another program has taken its port meanwhile
 */
export async function startGateway(
  port: number,
  upstreams: Upstream[],
  served: ServedSites,
): Promise<() => Promise<void>> {
  const serveSites = getRequestListener(createSites(upstreams, served).fetch);
  const siteServers = served.sites.flatMap(({ site, ...of }) =>
    "port" in of ? [{ prefix: site.path, port: of.port, strip: "" }] : [],
  );
  const server = createServer((incoming, outgoing) => {
    const url =
      isOwnName(incoming.headers.host) && !unforwardable.includes(incoming.method!) ? addressOf(incoming) : undefined;
    const upstream =
      url &&
      (upstreams.find(({ prefix }) => url.pathname === prefix || url.pathname.startsWith(`${prefix}/`)) ??
        siteServers.find(({ prefix }) => url.pathname.startsWith(`${prefix}/`)));
    if (!upstream) return void serveSites(incoming, outgoing);
    const path = url.pathname.slice(upstream.strip.length) + url.search;
    forward(incoming, outgoing, { url, port: upstream.port, path }, () => {
      const detail = `The server of ${upstream.prefix} is not running. Its log is in .local/logs/.`;
      outgoing
        .writeHead(502, problemHeaders())
        .end(problemText(502, "upstream_unreachable", "A part of the stack does not respond", detail));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(portProblem(port, "PORT", error)));
    server.listen(port, host, resolve);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}
