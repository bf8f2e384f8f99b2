import { createTransport } from "nodemailer";
import type { Environment } from "../_shared/env.ts";
import { isLoopback } from "../_shared/loopback.ts";

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

/** The mail server does not take mails to this address. */
export class AddressRefused extends Error {}

/** The mail server of the store. */
export interface Mail {
  /** The address of the console, without the part after `#`. */
  consoleUrl: string;
  /** Sends a message. @throws Error without an address in its text, if the server has not taken it; AddressRefused if it never will */
  send(message: Message): Promise<void>;
}

const VARIABLES = ["STORE_SMTP_URL", "STORE_SMTP_FROM", "STORE_CONSOLE_URL"] as const;

/** Reads the settings of the mail server. @returns undefined without any @throws Error that names the variable to set, if one is missing or invalid */
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
  const transport = createTransport({
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
  });
  return {
    consoleUrl: consoleUrl.replace(/\/$/, ""),
    send: async ({ id, ...message }) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const deadline = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(Object.assign(new Error("too late"), { code: "ETIMEDOUT" })), DEADLINE_MS);
      });
      try {
        const domain = new URL(consoleUrl).hostname;
        await Promise.race([transport.sendMail({ ...message, from, messageId: `<${id}@${domain}>` }), deadline]);
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

/** What nodemailer reports. */
interface MailError {
  code?: string;
  responseCode?: number;
}

/** What administrators read. The answer of a server names the address, so it is left out. */
function describe({ code, responseCode }: MailError): Error {
  if (responseCode === undefined) return new Error(`the mail server could not be reached (${code ?? "unknown"})`);
  const text = `the mail server answered with ${responseCode}`;
  return code === "EENVELOPE" && responseCode >= 550 && responseCode < 560 ? new AddressRefused(text) : new Error(text);
}
