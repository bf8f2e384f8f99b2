import { connect, type Socket } from "node:net";
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

/** A server that says nothing for so long does not respond. */
const LONGEST_SILENCE_MS = 10_000;

const END_OF_HEAD = "\r\n\r\n";
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

/** The status of a response in HTTP/1.1, or undefined until all of it has arrived. */
function statusOf(received: Buffer): number | undefined {
  const end = received.indexOf(END_OF_HEAD);
  if (end === -1) return undefined;
  const head = received.toString("latin1", 0, end);
  const status = Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
  const length = status === 204 ? 0 : /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const isWhole =
    length === undefined
      ? received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
      : received.length >= end + END_OF_HEAD.length + Number(length);
  return isWhole ? status : undefined;
}

/**
 * A persistent connection. It writes and reads bytes, because the client shares the processors with the server: the
 * client of `node:http` takes twice the time for a request.
 */
class Connection {
  private readonly socket: Socket;
  private received: Buffer = Buffer.alloc(0);
  private responded: (status: number) => void = () => undefined;
  private failed: (error: Error) => void = () => undefined;

  constructor({ hostname, port }: URL) {
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true, timeout: LONGEST_SILENCE_MS })
      .on("data", (part) => this.receive(part))
      .on("timeout", () => this.socket.destroy(new Error(`no response within ${LONGEST_SILENCE_MS} ms`)))
      .on("error", (error) => this.failed(error))
      .on("close", () => this.failed(new Error("the server closed the connection")));
  }

  /** Sends a request. @returns the status of the response */
  send(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.responded = resolve;
      this.failed = reject;
      this.socket.write(request);
    });
  }

  private receive(part: Buffer): void {
    this.received = this.received.length === 0 ? part : Buffer.concat([this.received, part]);
    const status = statusOf(this.received);
    if (status === undefined) return;
    this.received = Buffer.alloc(0);
    this.responded(status);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** A request as it is sent. */
function written({ path, method = "GET", token, body }: Request, host: string): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(text)}`]),
  ];
  return `${head.join("\r\n")}${END_OF_HEAD}${text}`;
}

/**
 * Sends a number of requests over persistent connections.
 * @throws Error if a request fails or gets no response
 */
export async function runHttpLoad({ base, requests }: Target, connections: number, count: number): Promise<HttpResult> {
  const address = new URL(base);
  const times: number[] = [];
  let sent = 0;
  const next = () => (Array.isArray(requests) ? requests[sent % requests.length]! : requests());

  async function sendUntilEnough(): Promise<void> {
    const connection = new Connection(address);
    try {
      while (sent < count) {
        const request = next();
        sent += 1;
        const bytes = written(request, address.host);
        const since = performance.now();
        const status = await connection.send(bytes);
        times.push(performance.now() - since);
        if (status < 200 || status > 299) throw new Error(`${request.method ?? "GET"} ${request.path}: ${status}`);
      }
    } catch (error) {
      // The other connections end, too.
      sent = count;
      throw error;
    } finally {
      connection.close();
    }
  }

  const started = performance.now();
  await Promise.all(Array.from({ length: Math.min(connections, count) }, sendUntilEnough));
  return {
    requestsPerSecond: count / ((performance.now() - started) / 1000),
    latency: { p50: percentile(times, 50), p95: percentile(times, 95), p99: percentile(times, 99) },
  };
}
