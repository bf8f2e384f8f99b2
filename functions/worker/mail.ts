import { createTransport } from "nodemailer";
import SMTPConnection, { type SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";
import type { Environment } from "../_shared/ground/env.ts";
import { isLoopback } from "../_shared/ground/loopback.ts";

const WAIT_MS = 10_000;
/** Of a message. Shorter than the lease of its row. */
const DEADLINE_MS = 30_000;

export interface Message {
  /** Names the message. Mail servers and mailboxes recognise a repeated one by it. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

/** There is no such mailbox, so a repeated mail would not arrive either. */
export class AddressRefused extends Error {}

/** The mail server of the store. */
export interface Mail {
  /** The address of the console, without the part after `#`. */
  consoleUrl: string;
  /**
   * Sends a message.
   * @throws Error without an address in its text, if the server has not taken it; AddressRefused if it never will
   */
  send(message: Message): Promise<void>;
}

const VARIABLES = ["STORE_SMTP_URL", "STORE_SMTP_FROM", "STORE_CONSOLE_URL"] as const;

/**
 * Reads the settings of the mail server.
 * @returns undefined without any
 * @throws Error that names the variable to set, if one is missing or invalid
 */
export function openMail(env: Environment): Mail | undefined {
  const [url, from, consoleUrl] = VARIABLES.map((name) => env.get(name) || undefined);
  if (url === undefined && from === undefined && consoleUrl === undefined) return undefined;
  if (url === undefined || from === undefined || consoleUrl === undefined)
    throw new Error(
      `Set ${VARIABLES.filter((name) => !env.get(name)).join(", ")}, too: notices by email need all of ${VARIABLES.join(", ")}.`,
    );
  if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol))
    throw new Error(
      "STORE_SMTP_URL is not an address such as smtps://user:password@smtp.example.com:465. Encode special characters of the password.",
    );
  if (!URL.canParse(consoleUrl) || !/^https?:$/.test(new URL(consoleUrl).protocol))
    throw new Error("STORE_CONSOLE_URL is not the address of the console.");
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const options = {
    host: hostname,
    port: Number(port || (secure ? 465 : 587)),
    secure,
    // A password never leaves this machine unencrypted.
    requireTLS: !secure && !isLoopback(url),
    ...(username && { auth: { user: decoded(username), pass: decoded(password) } }),
    name: new URL(consoleUrl).hostname,
    dnsTimeout: WAIT_MS,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const transport = createTransport(options);
  const deliver = async (message: Omit<Message, "id"> & { from: string; messageId: string }) => {
    if (needsUtf8(message.to) && !(await takesUtf8(options)))
      throw Object.assign(new Error("no SMTPUTF8"), { code: NO_UTF8 });
    await transport.sendMail(message);
  };
  return {
    consoleUrl: consoleUrl.replace(/\/$/, ""),
    send: async ({ id, ...message }) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const deadline = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(Object.assign(new Error("too late"), { code: "ETIMEDOUT" })), DEADLINE_MS);
      });
      try {
        await Promise.race([deliver({ ...message, from, messageId: `<${id}@${options.name}>` }), deadline]);
      } catch (error) {
        // Without the cause, which names the address.
        throw describe(error as MailError);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** A part of STORE_SMTP_URL without its encoding. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error("STORE_SMTP_URL has a % that encodes nothing. Write %25 for a % of the password.");
  }
}

const NO_UTF8 = "ENOUTF8";

/** Whether an address has letters beyond ASCII before the `@`. A domain that has them is sent in its form in ASCII. */
const needsUtf8 = (address: string) => /[^\p{ASCII}].*@/u.test(address);

/**
 * Whether the mail server takes such addresses (RFC 6531). nodemailer would send them to any, and some answer that they
 * were taken.
 */
function takesUtf8(options: SMTPConnectionOptions): Promise<boolean> {
  const connection = new SMTPConnection(options);
  return new Promise<boolean>((resolve, reject) => {
    connection.once("error", reject);
    connection.connect((error) => {
      if (error) reject(error);
      else resolve(/^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || ""));
    });
  }).finally(() => connection.close());
}

/** What nodemailer reports. */
interface MailError {
  code?: string;
  /** The command that was refused. */
  command?: string;
  response?: string;
  responseCode?: number;
}

/** What administrators read. The answer of a server names the address, so it is left out, except for its codes. */
function describe({ code, command, response = "", responseCode }: MailError): Error {
  if (code === NO_UTF8)
    return new Error("the mail server takes no address with letters such as 林 before the @ (it lacks SMTPUTF8)");
  if (responseCode === undefined) return new Error(`the mail server could not be reached (${code ?? "unknown"})`);
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const text = `the mail server answered with ${enhanced === undefined ? responseCode : `${responseCode} ${enhanced}`}`;
  return command === "RCPT TO" && isNoMailbox(responseCode, enhanced) ? new AddressRefused(text) : new Error(text);
}

/**
 * Whether a refused recipient has no mailbox. By the enhanced code (RFC 3463) if there is one: a wrong address, other
 * than that of the sender, or a mailbox that is switched off. A full mailbox, a policy, a size and a route say nothing
 * about the address, and may be mended.
 */
function isNoMailbox(status: number, enhanced: string | undefined): boolean {
  if (enhanced === undefined || /^5\.0\./.test(enhanced)) return [550, 551, 553, 556].includes(status);
  return /^5\.1\.(?![78]$)|^5\.2\.1$/.test(enhanced);
}
