import { Agent, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { createGzip } from "node:zlib";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/compress";
import { host } from "../ground/ports.ts";

/** Idle connections are closed before the servers of Node close theirs, after 5 s. */
const agent = new Agent({ keepAlive: true, timeout: 4_000 });

/** Headers that concern one connection, and what an upstream is not asked for: the gateway compresses. */
const OF_CONNECTION = [
  "accept-encoding",
  "connection",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "upgrade",
];

const withoutConnection = (headers: IncomingHttpHeaders, ...others: string[]): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name) && !others.includes(name)),
  );

/**
 * Whether a response can be compressed: the same as `compress` of Hono, which compresses what the gateway serves
 * itself.
 */
const isCompressible = ({ statusCode, headers }: IncomingMessage, method: string | undefined) =>
  statusCode !== 206 &&
  method !== "HEAD" &&
  headers["content-encoding"] === undefined &&
  Number(headers["content-length"] ?? Infinity) >= 1024 &&
  COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers["content-type"] ?? "") &&
  !/\bno-transform\b/i.test(headers["cache-control"] ?? "");

/** Whether a client takes gzip. */
const takesGzip = (header: string | undefined) => /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(header ?? "");

/** Passes a response on, compressed if it can be and the client takes it. */
function answer(incoming: IncomingMessage, outgoing: ServerResponse, response: IncomingMessage): void {
  const { "content-length": length, etag, vary, ...headers } = withoutConnection(response.headers, "transfer-encoding");
  const canBeCompressed = isCompressible(response, incoming.method);
  const isCompressed = canBeCompressed && takesGzip(incoming.headers["accept-encoding"]?.toString());
  const varies =
    canBeCompressed && !/accept-encoding|\*/i.test(vary ?? "")
      ? [vary, "Accept-Encoding"].filter(Boolean).join(", ")
      : vary;
  outgoing.writeHead(response.statusCode!, {
    ...headers,
    ...(varies !== undefined && { vary: varies }),
    ...(length !== undefined && !isCompressed && { "content-length": length }),
    ...(etag !== undefined && { etag: isCompressed ? etag.replace(/^(?!W\/)/, "W/") : etag }),
    ...(isCompressed && { "content-encoding": "gzip" }),
  });
  // If either end breaks off, so does the other one.
  pipeline([response, ...(isCompressed ? [createGzip()] : []), outgoing], () => undefined);
}

/**
 * Forwards a request to a server of this machine, as it arrives. It takes a third of the processor time of `fetch`.
 * @param url the address under which the gateway was called
 * @param path the path and the query for the server
 * @param onUnreachable responds if the server does not
 */
export function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { url, port, path }: { url: URL; port: number; path: string },
  onUnreachable: () => void,
): void {
  const forwarded = request({
    agent,
    host,
    port,
    path,
    method: incoming.method,
    headers: {
      ...withoutConnection(incoming.headers),
      "x-forwarded-host": url.host,
      "x-forwarded-proto": url.protocol.slice(0, -1),
    },
  });
  forwarded.once("response", (response) => answer(incoming, outgoing, response));
  forwarded.on("error", () => {
    // A response that has begun ends by itself: a server may refuse a request before it has all of it.
    if (!outgoing.headersSent && !outgoing.destroyed) onUnreachable();
  });
  // The client has gone, or has its response before it has sent the whole request.
  outgoing.once("close", () => {
    incoming.unpipe(forwarded).resume();
    forwarded.destroy();
  });
  incoming.pipe(forwarded);
}
