import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";

/** Message types of the Postgres protocol that the server sends. */
export const MESSAGE = { row: "D", error: "E" } as const;

/** A proxy in front of Postgres that closes connections after given messages of the protocol. */
export interface CuttingProxy {
  /** The address of the database through the proxy. */
  url: string;
  /** Closes the next connection on which the server sends a message of this type, directly after the message. */
  cutAfter(type: (typeof MESSAGE)[keyof typeof MESSAGE]): void;
  /** Closes all connections at once. */
  cutAll(): void;
  /** Whether new connections are closed at once, as by a pooler that is down. */
  refuse(refuses: boolean): void;
  /** From now on, discards everything that the server sends on existing connections, without closing them. */
  silence(): void;
  stop(): Promise<void>;
}

/** Starts the proxy on a free port. @param databaseUrl where it forwards to */
export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  let cutAt: string | undefined;
  let refuses = false;

  const server = createServer((client) => {
    if (refuses) return void client.destroy();
    const upstream = connectTo({ host: target.hostname, port: Number(target.port) });
    sockets.add(client);
    client.on("error", () => undefined).on("close", () => (sockets.delete(client), upstream.destroy()));
    upstream.on("error", () => undefined).on("close", () => client.destroy());
    client.pipe(upstream);

    let unread = Buffer.alloc(0);
    upstream.on("data", (chunk: Buffer) => {
      if (silent.has(client)) return;
      unread = Buffer.concat([unread, chunk]);
      // A message consists of its type and a length that includes itself but not the type.
      for (let end = endOfMessage(unread); end !== undefined; end = endOfMessage(unread)) {
        const message = unread.subarray(0, end);
        unread = unread.subarray(end);
        if (message.toString("latin1", 0, 1) === cutAt) {
          cutAt = undefined;
          client.end(message);
          upstream.destroy();
          return;
        }
        client.write(message);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cutAfter: (type) => (cutAt = type),
    cutAll: () => sockets.forEach((socket) => socket.destroy()),
    refuse: (now) => (refuses = now),
    silence: () => sockets.forEach((socket) => silent.add(socket)),
    stop: () => {
      sockets.forEach((socket) => socket.destroy());
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function endOfMessage(bytes: Buffer): number | undefined {
  const end = bytes.length < 5 ? Number.POSITIVE_INFINITY : bytes.readUInt32BE(1) + 1;
  return end <= bytes.length ? end : undefined;
}
