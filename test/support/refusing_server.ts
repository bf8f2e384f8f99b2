import { type AddressInfo, createServer, type Socket } from "node:net";

/** How a server or a pooler answers a client that signs in. */
export type Refusal =
  | { code: string; message: string; after?: "sign-in" }
  /** The end of a SCRAM exchange, by which Supavisor says that the password is wrong. */
  | { scram: string };

/** A message of the protocol of Postgres. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

const text = (value: string) => Buffer.from(`${value}\0`);
const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const authentication = (step: number, rest = Buffer.alloc(0)) => message("R", Buffer.concat([number(step), rest]));
const ready = message("Z", Buffer.from("I"));
const refusal = (code: string, said: string) =>
  message(
    "E",
    Buffer.concat([...[`SFATAL`, `VFATAL`, `C${code}`, `M${said}`].map((field) => text(field)), Buffer.from([0])]),
  );

function answer(client: Socket, refused: Refusal): void {
  client.on("error", () => undefined);
  client.once("data", () => {
    if ("scram" in refused) {
      client.write(authentication(10, Buffer.concat([text("SCRAM-SHA-256"), Buffer.from([0])])));
      client.once("data", (first: Buffer) => {
        const nonce = /r=([^,]+)/.exec(first.toString())![1]!;
        client.write(
          authentication(11, Buffer.from(`r=${nonce}server,s=${Buffer.from("salt").toString("base64")},i=4096`)),
        );
        client.once("data", () => client.write(authentication(12, Buffer.from(refused.scram))));
      });
    } else if (refused.after === "sign-in") {
      client.write(Buffer.concat([authentication(0), ready]));
      client.on("data", () => client.write(Buffer.concat([refusal(refused.code, refused.message), ready])));
    } else client.end(refusal(refused.code, refused.message));
  });
}

/**
 * Starts a server that refuses every client in the words of another.
 * @returns its address for a role
 */
export async function startRefusingServer(refused: Refusal): Promise<{ url(role: string): string; stop(): void }> {
  const server = createServer((client) => answer(client, refused));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (role) => `postgresql://${role}:not-to-be-shown@127.0.0.1:${port}/postgres`,
    stop: () => void server.close(),
  };
}
