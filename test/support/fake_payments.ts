import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createLocalPayments, signedNotification } from "../../scripts/stack/payments/app.ts";
import { Ledger, type LocalPayment } from "../../scripts/stack/payments/ledger.ts";
import { listenOnLoopback, stopServer } from "./loopback_server.ts";

/**
 * What happens to the next calls of the store: served, request lost, response lost, refused, or a response with HTML.
 */
export type Fault = "none" | "lost" | "lost response" | "refused" | "html";

/**
 * The local payment provider with faults. It sends no notification by itself: a test sends it early, late, twice or
 * never.
 */
export class FakePayments {
  fault: Fault = "none";
  /** How many calls are served before the fault begins. */
  servedBeforeFault = 0;
  /** Called for each call of the store before the response is sent, for example to send a notification first. */
  beforeResponse: (path: string) => Promise<unknown> | undefined = () => undefined;
  readonly ledger = new Ledger();
  readonly secret = `whsec_${randomBytes(32).toString("base64")}`;
  /** The paths of the calls of the store. */
  readonly calls: string[] = [];
  private readonly app = createLocalPayments(
    { secret: this.secret, pageUrl: "http://127.0.0.1/pay", notifyUrl: "" },
    this.ledger,
    () => Promise.resolve(),
  );
  private readonly server = createServer((request, response) => void this.respond(request, response));

  /** @returns the variables with which an edge function uses it */
  async start(): Promise<{ STORE_LOCAL_PAYMENTS_URL: string; STORE_LOCAL_PAYMENTS_SECRET: string }> {
    return { STORE_LOCAL_PAYMENTS_URL: await listenOnLoopback(this.server), STORE_LOCAL_PAYMENTS_SECRET: this.secret };
  }

  stop(): Promise<void> {
    return stopServer(this.server);
  }

  payment(attemptNo: string): LocalPayment | undefined {
    return this.ledger.all().payments.find((payment) => payment.attemptNo === attemptNo);
  }

  /** The payer pays, and no notification is sent. */
  pay(attemptNo: string): LocalPayment {
    return this.ledger.pay(this.payment(attemptNo)!.token)!;
  }

  /** The notification of a payment, ready to be sent. */
  notification(attemptNo: string) {
    return signedNotification(this.secret, this.payment(attemptNo)!);
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = `${request.method} ${request.url}`;
    this.calls.push(path);
    const fault = this.servedBeforeFault > 0 ? "none" : this.fault;
    this.servedBeforeFault = Math.max(0, this.servedBeforeFault - 1);
    if (fault === "lost") return void request.socket.destroy();
    if (fault === "html")
      return void response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
    if (fault === "refused")
      return void response.writeHead(422, { "content-type": "application/json" }).end('{"reason": "payer_unknown"}');
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const served = await this.app.fetch(
      new Request(`http://provider${request.url}`, {
        method: request.method!,
        headers: request.headers as Record<string, string>,
        ...body,
      }),
    );
    await this.beforeResponse(path);
    if (fault === "lost response") return void request.socket.destroy();
    response.writeHead(served.status, { "content-type": "application/json" }).end(await served.text());
  }
}
