import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of the Auth server that records requests and can lose responses. */
export class AuthProxy {
  /** The path whose next response is lost, after the Auth server has done its work. */
  loses: string | undefined;
  /** The path whose requests never reach the Auth server. */
  blocks: string | undefined;
  /** The response that every session gets instead of that of the Auth server. */
  refusal: { status: number; error_code: string } | undefined;
  readonly asked: { path: string; headers: IncomingMessage["headers"] }[] = [];
  private readonly server = createServer((request, response) => void this.forward(request, response));

  constructor(private readonly target: string) {}

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    this.asked.push({ path, headers: request.headers });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (path === this.blocks) return badGateway(response);
    if (this.refusal && path === "/auth/v1/verify") {
      const { status, error_code } = this.refusal;
      return void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ code: status, error_code, msg: error_code }));
    }
    const { apikey, authorization } = request.headers as Record<string, string>;
    const answer = await fetch(this.target + path, {
      method: request.method!,
      headers: { "content-type": "application/json", apikey: apikey!, authorization: authorization! },
      body: Buffer.concat(chunks),
    });
    const text = await answer.text();
    if (path === this.loses) {
      this.loses = undefined;
      return badGateway(response);
    }
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  }
}

function badGateway(response: ServerResponse): void {
  response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>");
}
