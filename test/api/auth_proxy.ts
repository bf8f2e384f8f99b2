import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback, stopServer } from "../support/loopback_server.ts";

/** A proxy in front of the Auth server that records requests and can lose responses. */
export class AuthProxy {
  /** The path whose next response is lost, after the Auth server has done its work. */
  loses: string | undefined;
  /** The path whose requests never reach the Auth server. */
  blocks: string | undefined;
  /** The response that every session gets instead of that of the Auth server. */
  rejection: { status: number; error_code: string } | undefined;
  readonly received: { path: string; headers: IncomingMessage["headers"] }[] = [];
  private readonly server = createServer((request, response) => void this.forward(request, response));

  constructor(private readonly target: string) {}

  start(): Promise<string> {
    return listenOnLoopback(this.server);
  }

  stop(): Promise<void> {
    return stopServer(this.server);
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    this.received.push({ path, headers: request.headers });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (path === this.blocks) return badGateway(response);
    if (this.rejection && path === "/auth/v1/verify") {
      const { status, error_code } = this.rejection;
      return void response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ code: status, error_code, msg: error_code }));
    }
    const { apikey, authorization } = request.headers as Record<string, string>;
    const upstream = await fetch(this.target + path, {
      method: request.method!,
      headers: { "content-type": "application/json", apikey: apikey!, authorization: authorization! },
      body: Buffer.concat(chunks),
    });
    const text = await upstream.text();
    if (path === this.loses) {
      this.loses = undefined;
      return badGateway(response);
    }
    response.writeHead(upstream.status, { "content-type": "application/json" }).end(text);
  }
}

function badGateway(response: ServerResponse): void {
  response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>");
}
