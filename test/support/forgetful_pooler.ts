import { type AddressInfo, connect as connectTo, createServer } from "node:net";

/** What a pooler passes on of the settings with which a client begins. */
const passedOn = ["user", "database"];

/** The first message of a client: its length, the version of the protocol, then names and values. */
function withoutSettings(message: Buffer): Buffer {
  const texts = message
    .subarray(8, message.readUInt32BE(0) - 1)
    .toString("latin1")
    .split("\0");
  const kept = texts.flatMap((name, index) =>
    index % 2 === 0 && passedOn.includes(name) ? [name, texts[index + 1]!] : [],
  );
  const body = Buffer.from(`${kept.join("\0")}\0\0`, "latin1");
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  message.copy(head, 4, 4, 8);
  return Buffer.concat([head, body]);
}

/**
 * Starts a proxy in front of Postgres that ignores the settings at the start of a connection, as poolers do.
 * @returns the address of the database through it
 */
export async function startForgetfulPooler(databaseUrl: string): Promise<{ url: string; stop(): void }> {
  const { hostname, port } = new URL(databaseUrl);
  const server = createServer((client) => {
    const upstream = connectTo({ host: hostname, port: Number(port) });
    client.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
    upstream.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.once("data", (first: Buffer) => {
      upstream.write(withoutSettings(first));
      client.pipe(upstream);
    });
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  Object.assign(url, { hostname: "127.0.0.1", port: String((server.address() as AddressInfo).port) });
  return { url: url.href, stop: () => void server.close() };
}
