import autocannon from "autocannon";
import { percentile } from "../statistics.ts";

/** One request, as often as it takes. */
export interface Request {
  path: string;
  method?: "GET" | "POST" | "PUT";
  token?: string;
  body?: unknown;
}

/** What a load asks for. */
export interface Target {
  /** Address of the function's server. */
  base: string;
  /** Connections take these by turns. Of a function, the next one whenever a connection is free. */
  requests: Request[] | (() => Request);
}

export interface HttpResult {
  requestsPerSecond: number;
  /** Milliseconds. */
  latency: { p50: number; p95: number; p99: number };
}

/** How often autocannon looks whether it is done. */
const END_EVERY_MS = 20;

function toAutocannon({ path, method = "GET", token, body }: Request): autocannon.Request {
  return {
    path,
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/**
 * Sends so many requests over connections that are kept open.
 * @throws Error when one of them is refused or gets no answer
 */
export async function runHttpLoad({ base, requests }: Target, connections: number, count: number): Promise<HttpResult> {
  const times: number[] = [];
  const list = Array.isArray(requests) ? requests.map(toAutocannon) : [{ setupRequest: (request: autocannon.Request) => ({ ...request, ...toAutocannon(requests()) }) }];
  const started = performance.now();
  let answered = started;
  const { errors, timeouts, non2xx } = await new Promise<autocannon.Result>((resolve, reject) => {
    autocannon({ url: base, connections: Math.min(connections, count), amount: count, requests: list, sampleInt: END_EVERY_MS }, (error, result) => (error ? reject(error as Error) : resolve(result)))
      .on("response", (_client, _status, _bytes, milliseconds) => {
        times.push(milliseconds);
        answered = performance.now();
      });
  });
  // The end is told a while after it.
  const seconds = (answered - started) / 1000;
  if (errors + timeouts + non2xx > 0) throw new Error(`${base}: ${non2xx} requests refused, ${errors + timeouts} without an answer`);
  return { requestsPerSecond: count / seconds, latency: { p50: percentile(times, 50), p95: percentile(times, 95), p99: percentile(times, 99) } };
}
