import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { freePort, requireFreePort } from "../../scripts/ground/ports.ts";

it("gives no port twice while nothing listens on it, and none that the system gives to connections", async () => {
  const ports = new Set<number>();
  for (let count = 0; count < 700; count++) ports.add(await freePort());
  expect(ports.size).toBe(700);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

// PostgresApp/PostgresApp#676, neondatabase/neon#801: what is left of a connection is no other program.
it("waits for a port that the system has given to a connection, and names another program at once", async () => {
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: listening } = server.address() as AddressInfo;
  const client = connect(listening, "127.0.0.1");
  await new Promise((resolve) => client.once("connect", resolve));
  const { localPort } = client;
  let isFree = false;
  const waiting = requireFreePort(localPort!, "PORT").then(() => (isFree = true));
  await expect(requireFreePort(listening, "PORT")).rejects.toThrow(`Port ${listening} is in use by another program.`);
  expect(isFree).toBe(false);
  // Whoever closes first keeps the port for a minute: here, the other side.
  for (const socket of accepted) socket.end();
  await waiting;
  server.close();
});
