import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { host } from "../../scripts/ground/ports.ts";

/**
 * What goes wrong with a message: it is refused, its address is unknown, or the connection breaks before the server has
 * confirmed what it has taken.
 */
export type MailTrouble = "refused" | "no mailbox" | "broken";

/** A mail server of the tests. It speaks real SMTP, keeps what it takes, and can be away or hang. */
export class FakeMailServer {
  readonly port: number;
  /** The messages, as they came. */
  readonly taken: string[] = [];
  /** What goes wrong with the next message. */
  trouble?: MailTrouble | undefined;
  /** What it answers to the recipient of every message, such as "552 5.2.2 The mailbox is full". */
  recipientAnswer?: string | undefined;
  /** Whether it takes addresses with letters beyond ASCII before the `@`, when it is started. */
  takesUtf8 = true;
  private server?: SMTPServer | Server;
  private readonly silent = new Set<Socket>();

  constructor(port: number) {
    this.port = port;
  }

  /** The settings of the edge functions that use it. */
  settings(): Record<string, string> {
    return {
      STORE_SMTP_URL: `smtp://store:${encodeURIComponent("pass/word")}@${host}:${this.port}`,
      STORE_SMTP_FROM: "Tea & Co <store@example.com>",
      STORE_CONSOLE_URL: "https://console.example.com/",
    };
  }

  async start(): Promise<void> {
    const server = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      hideSMTPUTF8: !this.takesUtf8,
      // How long a connection that is to break lasts.
      closeTimeout: 20,
      onAuth: ({ username, password }, _session, done) =>
        username === "store" && password === "pass/word"
          ? done(null, { user: username })
          : done(new Error("wrong password")),
      onRcptTo: ({ address }, _session, done) => {
        const [, code, text] = /^(\d{3}) (.*)$/.exec(this.recipientAnswer ?? "") ?? [];
        if (code !== undefined) return done(Object.assign(new Error(text), { responseCode: Number(code) }));
        if (this.trouble !== "no mailbox") return done();
        this.trouble = undefined;
        done(Object.assign(new Error(`no mailbox ${address}`), { responseCode: 550 }));
      },
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on("data", (part: Buffer) => parts.push(part));
        stream.on("end", () => {
          const { trouble } = this;
          this.trouble = undefined;
          if (trouble === "refused")
            return done(
              Object.assign(new Error(`no mailbox ${JSON.stringify(session.envelope)}`), { responseCode: 550 }),
            );
          this.taken.push(Buffer.concat(parts).toString("utf8"));
          if (trouble === "broken") return server.close();
          done();
        });
      },
    });
    // A connection that breaks is what a test wants.
    server.on("error", () => undefined);
    this.server = server;
    await new Promise<void>((listening) => server.listen(this.port, host, listening));
  }

  /** Accepts connections and says nothing. */
  async hang(): Promise<void> {
    const server = createServer((socket) => {
      this.silent.add(socket);
      socket.on("error", () => undefined);
    });
    this.server = server;
    await new Promise<void>((listening) => server.listen(this.port, host, listening));
  }

  async stop(): Promise<void> {
    const { server } = this;
    delete this.server;
    for (const socket of this.silent) socket.destroy();
    if (server) await new Promise<void>((closed) => server.close(() => closed()));
  }
}
