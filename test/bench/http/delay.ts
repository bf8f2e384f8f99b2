import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { host } from "../../../scripts/stack/ports.ts";

/** Something between two programs that keeps everything back for a while. */
export interface Delay {
  port: number;
  close(): void;
}

function passOn(from: Socket, to: Socket, milliseconds: number): void {
  from.on("data", (chunk) => setTimeout(() => to.write(chunk), milliseconds));
  from.on("close", () => setTimeout(() => to.destroy(), milliseconds));
  from.on("error", () => to.destroy());
}

/** Listens on a port of its own and passes everything on to `port`, late: a round trip takes so much longer. */
export async function startDelay(port: number, roundTripMilliseconds: number): Promise<Delay> {
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host, noDelay: true });
    passOn(near, far, roundTripMilliseconds / 2);
    passOn(far, near, roundTripMilliseconds / 2);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
