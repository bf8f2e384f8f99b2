import autocannon from "autocannon";
import { percentile } from "../statistics.ts";

/** A request that is sent repeatedly. */
export interface Request {
  path: string;
  method?: "GET" | "POST" | "PUT";
  token?: string;
  body?: unknown;
}

/** The requests of a load. */
export interface Target {
  /** The address of the server. */
  base: string;
  /** The connections send these requests in turn. A function is called for the next request of each free connection. */
  requests: Request[] | (() => Request);
}

export interface HttpResult {
  requestsPerSecond: number;
  /** Milliseconds. */
  latency: { p50: number; p95: number; p99: number };
}

/** How often autocannon checks whether it is finished. */
const END_EVERY_MS = 20;

function toAutocannon({ path, method = "GET", token, body }: Request): autocannon.Request {
  return {
    path,
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/**
 * Sends a number of requests over persistent connections.
 * @throws Error if a request fails or gets no response
 */
export async function runHttpLoad({ base, requests }: Target, connections: number, count: number): Promise<HttpResult> {
  const times: number[] = [];
  const list = Array.isArray(requests)
    ? requests.map(toAutocannon)
    : [{ setupRequest: (request: autocannon.Request) => ({ ...request, ...toAutocannon(requests()) }) }];
  const started = performance.now();
  let responded = started;
  const { errors, timeouts, non2xx } = await new Promise<autocannon.Result>((resolve, reject) => {
    autocannon(
      { url: base, connections: Math.min(connections, count), amount: count, requests: list, sampleInt: END_EVERY_MS },
      (error, result) => (error ? reject(error as Error) : resolve(result)),
    ).on("response", (_client, _status, _bytes, milliseconds) => {
      times.push(milliseconds);
      responded = performance.now();
    });
  });
  // autocannon reports the end some time after the last response.
  const seconds = (responded - started) / 1000;
  if (errors + timeouts + non2xx > 0)
    throw new Error(`${base}: ${non2xx} requests rejected, ${errors + timeouts} without a response`);
  return {
    requestsPerSecond: count / seconds,
    latency: { p50: percentile(times, 50), p95: percentile(times, 95), p99: percentile(times, 99) },
  };
}
