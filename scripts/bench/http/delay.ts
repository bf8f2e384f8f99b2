import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { host } from "../../ground/ports.ts";

/** A proxy that delays all data. */
export interface Delay {
  port: number;
  close(): void;
}

function passOn(from: Socket, to: Socket, milliseconds: number): void {
  from.on("data", (chunk) => setTimeout(() => to.write(chunk), milliseconds));
  from.on("close", () => setTimeout(() => to.destroy(), milliseconds));
  from.on("error", () => to.destroy());
}

/** Starts a proxy on a free port that forwards to `port` and adds the given delay to each round trip. */
export async function startDelay(port: number, roundTripMilliseconds: number): Promise<Delay> {
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host, noDelay: true });
    passOn(near, far, roundTripMilliseconds / 2);
    passOn(far, near, roundTripMilliseconds / 2);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
