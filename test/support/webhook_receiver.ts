import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A request that the receiver has got. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Answers a request. */
export type Answer = (request: Received, response: ServerResponse) => void;

/** Why a machine cannot make the certificate of a receiver. */
export const lacksOpenssl = spawnSync("openssl", ["version"]).status === 0 ? undefined : "this machine lacks openssl";

/** A server of another system, with TLS and a certificate for `localhost` of its own authority. */
export class WebhookReceiver {
  private constructor(
    private readonly server: Server,
    /** The certificate of its authority, in PEM. */
    readonly authority: string,
    /** What it has got and answered with 200, or as {@link answer} says. */
    readonly received: Received[],
  ) {}

  /** How it answers. By default with 200. */
  answer: Answer = (_, response) => response.end();

  static async start(): Promise<WebhookReceiver> {
    const folder = mkdtempSync(join(tmpdir(), "webhook-receiver-"));
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
    const request = [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=receiver",
      "-addext",
      "subjectAltName=DNS:localhost",
    ];
    const made = spawnSync("openssl", [...request, "-keyout", key, "-out", certificate]);
    if (made.status !== 0) throw new Error(String(made.stderr));
    const [keyText, authority] = [readFileSync(key, "utf8"), readFileSync(certificate, "utf8")];
    rmSync(folder, { recursive: true });
    const server = createServer({ key: keyText, cert: authority });
    const receiver = new WebhookReceiver(server, authority, []);
    server.on("request", (incoming, response) => receiver.take(incoming, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  /** What came to a path. */
  at(path: string): Received[] {
    return this.received.filter((received) => received.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(incoming: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    incoming.on("error", () => undefined);
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const request = {
        path: incoming.url!,
        headers: incoming.headers as Record<string, string>,
        body: Buffer.concat(parts).toString(),
      };
      this.received.push(request);
      this.answer(request, response);
    });
  }
}
