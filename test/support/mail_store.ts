import type postgres from "postgres";
import { freePort } from "../../scripts/ground/ports.ts";
import { cloneDatabase, type ClonedDatabase, connect } from "../../scripts/testing/clone_database.ts";
import { type EdgeFunction, serveEdgeFunction } from "../../scripts/testing/edge_function.ts";
import { FakeMailServer } from "./fake_mail_server.ts";

const SECRET = "the secret of the worker in this test";

/** The header by which the scheduler is known to a worker of a {@link MailStore}. */
export const asScheduler = { headers: { "x-worker-secret": SECRET } };

/**
 * A database, a mail server, and workers that send its mails there. Neither the worker nor the scheduler of the test
 * stack takes its events and calls.
 */
export class MailStore {
  private constructor(
    readonly clone: ClonedDatabase,
    readonly sql: postgres.Sql,
    /** It is not running yet. */
    readonly mailServer: FakeMailServer,
  ) {}

  static async start(): Promise<MailStore> {
    const clone = await cloneDatabase();
    return new MailStore(clone, connect(clone.url), new FakeMailServer(await freePort()));
  }

  serveWorker(settings: Record<string, string> = {}): Promise<EdgeFunction> {
    return serveEdgeFunction("worker", this.clone.url, {
      ...this.mailServer.settings(),
      STORE_WORKER_SECRET: SECRET,
      ...settings,
    });
  }

  async stop(): Promise<void> {
    await this.sql.end();
    await this.clone.drop();
  }
}

/** A line in the head of a mail. */
export const headerOf = (mail: string, name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(mail)?.[1]!.trim();

/** The text of a mail. */
export function textOf(mail: string): string {
  const body = mail.slice(mail.indexOf("\r\n\r\n") + 4);
  const bytes =
    headerOf(mail, "Content-Transfer-Encoding") === "quoted-printable"
      ? body
          .replaceAll("=\r\n", "")
          .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      : body;
  return Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\r\n", "\n");
}
