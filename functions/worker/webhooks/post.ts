import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { type Answer, isComplete, readAnswer } from "./answer.ts";
import { type Egress, findTarget, type Target } from "./target.ts";

/** The time limits of a request. Both together are shorter than the lease of a delivery. */
interface Limits {
  connectMs: number;
  totalMs: number;
}

const LIMITS: Limits = { connectMs: 5000, totalMs: 15_000 };

/** Of an answer, this much is read. */
const MAX_BYTES = 64 * 1024;

/**
 * Posts a body to an address over TLS: to the very target that was checked, or through the proxy. Redirects are not
 * followed. An answer that is too long is cut, and one that does not end counts as far as it has come when the time is
 * over: its status is what was asked for.
 * @throws Error, if there is no answer within the limits, whose text says why
 */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  egress: Egress,
  { connectMs, totalMs }: Limits = LIMITS,
): Promise<Answer> {
  const sockets: Socket[] = [];
  const opened = (socket: Socket) => (sockets.push(socket), socket);
  let isOver = false;
  const timers: ReturnType<typeof setTimeout>[] = [];
  const after = (ms: number, text: string) =>
    new Promise<never>((_, reject) => {
      timers.push(setTimeout(() => reject(new Error(text)), ms));
    });
  try {
    const total = after(totalMs, "the receiver did not answer in time");
    const connecting = findTarget(url, egress).then((target) => {
      // A name can be found so late that nobody waits for the connection, or would end it.
      if (isOver) throw new Error("no connection in time");
      return connect(target, egress, opened);
    });
    const socket = await Promise.race([connecting, after(connectMs, "no connection in time"), total]);
    const exchanged = exchange(socket, requestBytes(new URL(url), headers, body));
    return await Promise.race([exchanged.ended, total.catch(exchanged.soFar)]);
  } finally {
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
    for (const socket of sockets) socket.destroy();
  }
}

/**
 * A request of HTTP/1.1. Neither the address nor a header has a line break: `URL` encodes them, and the headers are
 * made here.
 */
function requestBytes(url: URL, headers: Record<string, string>, body: string): Uint8Array {
  const bytes = new TextEncoder().encode(body);
  const lines = Object.entries({
    host: url.host,
    "content-type": "application/json",
    "content-length": String(bytes.length),
    "user-agent": "store-webhooks",
    accept: "*/*",
    connection: "close",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = new TextEncoder().encode(`POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const request = new Uint8Array(head.length + bytes.length);
  request.set(head);
  request.set(bytes, head.length);
  return request;
}

async function connect(
  target: Target,
  { proxy, localAuthority }: Egress,
  opened: (socket: Socket) => Socket,
): Promise<TLSSocket> {
  const { hostname, port, address } = target;
  const tunnel = proxy && (await connectThrough(proxy, target, opened));
  const socket = connectTls({
    ...(tunnel ? { socket: tunnel } : { host: address, port }),
    // The certificate must have the name of the URL, whatever address was found for it.
    ...(isIP(hostname) === 0 && { servername: hostname }),
    ...(localAuthority !== undefined && { ca: localAuthority }),
    ALPNProtocols: ["http/1.1"],
  });
  opened(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once("secureConnect", resolve);
    socket.once("error", (error: Error & { code?: string }) =>
      reject(new Error(`no connection (${error.code ?? "TLS"})`)),
    );
    socket.once("close", () => reject(new Error("no connection: it was closed")));
  });
  return socket;
}

/** Asks the proxy for a connection. Whether it is allowed is its decision. */
async function connectThrough(
  proxy: URL,
  { hostname, port, address }: Target,
  opened: (socket: Socket) => Socket,
): Promise<Socket> {
  const socket = opened(connectPlain({ host: proxy.hostname, port: Number(proxy.port) }));
  const name = `${(address ?? hostname).includes(":") ? `[${address}]` : hostname}:${port}`;
  const head = await new Promise<string>((resolve, reject) => {
    let text = "";
    const read = (bytes: Uint8Array) => {
      text += new TextDecoder().decode(bytes);
      if (text.length > 8192 || text.includes("\r\n\r\n")) {
        socket.off("data", read);
        resolve(text);
      }
    };
    socket.on("data", read);
    socket.once("error", () => reject(new Error("the proxy could not be reached")));
    socket.once("close", () => reject(new Error("the proxy closed the connection")));
    socket.write(`CONNECT ${name} HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
  });
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  if (status !== "200") throw new Error(`the proxy answered with ${status ?? "something else than HTTP"}`);
  return socket;
}

/** An answer that is arriving. */
interface Exchange {
  ended: Promise<Answer>;
  /** What has come of it. @throws the given error, if that is no answer yet */
  soFar: (error: unknown) => Answer;
}

function exchange(socket: Socket, request: Uint8Array): Exchange {
  let bytes = new Uint8Array();
  const soFar = (error: unknown) => {
    const answer = readAnswer(bytes);
    if (!answer) throw error;
    return answer;
  };
  const ended = new Promise<Answer>((resolve, reject) => {
    const finish = () => {
      const answer = readAnswer(bytes);
      if (answer) resolve(answer);
      else reject(new Error("the receiver closed the connection without an answer"));
    };
    socket.on("data", (part: Uint8Array) => {
      const all = new Uint8Array(bytes.length + part.length);
      all.set(bytes);
      all.set(part, bytes.length);
      bytes = all;
      if (bytes.length >= MAX_BYTES || isComplete(bytes)) finish();
    });
    // A receiver may end TLS and leave the connection open.
    socket.once("end", finish);
    socket.once("close", finish);
    socket.once("error", (error: Error & { code?: string }) =>
      reject(new Error(`the connection broke (${error.code ?? "unknown"})`)),
    );
    socket.write(request);
  });
  return { ended, soFar };
}
