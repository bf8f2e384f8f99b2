import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { isLoopback } from "../../functions/_shared/ground/loopback.ts";
import { requireDatabaseUrl } from "../command_line/database.ts";
import { type Project, projectOf, readProject, requireProject } from "../doctor/project.ts";
import { Problem } from "../ground/problem.ts";

/** A project of Supabase, and the folder that gets the sites. */
export interface Target extends Project {
  ref: string;
  databaseUrl: string;
  sites: string;
}

/** Asks the user; undefined where nobody can answer, as in CI. */
export type Ask = ((question: string, isSecret?: boolean) => Promise<string>) | undefined;

/** Asks on this terminal, unless there is none. What is secret is not shown while it is entered. */
export function asker(isSilent: boolean): Ask {
  if (isSilent || process.env.CI || !process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  return (question, isSecret = false) =>
    new Promise((resolve, reject) => {
      const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
      // From here on, the terminal itself shows nothing of what is typed.
      const lines = createInterface({
        input: process.stdin,
        output: isSecret ? nothing : process.stdout,
        terminal: true,
      });
      process.stdout.write(`${question}: `);
      let answer: string | undefined;
      lines.once("line", (line) => {
        answer = line.trim();
        lines.close();
      });
      lines.once("close", () => {
        if (isSecret) process.stdout.write("\n");
        if (answer === undefined)
          reject(new Problem("The deployment was cancelled. Nothing was changed.", "Run it again at any time."));
        else resolve(answer);
      });
    });
}

const DATABASE_URL =
  "DATABASE_URL, the address of the session pooler with the password of the database (Dashboard, Connect)";

/**
 * Reads what a deployment needs from options and environment, asks for what is missing, and sets DATABASE_URL for the
 * commands that follow.
 * @throws Problem that names what is missing, or why it does not fit
 */
export async function readTarget(given: string, address: string | undefined, sites: string, ask: Ask): Promise<Target> {
  const { ref, url } = readProject(given, address);
  if (ref === undefined)
    throw new Problem(
      `${given} is not the reference of a project of Supabase.`,
      "A server of your own is set up by hand: docs/self_hosting/README.md.",
    );
  const databaseUrl = process.env.DATABASE_URL || (await ask?.(DATABASE_URL, true));
  if (!databaseUrl) throw new Problem("DATABASE_URL is missing.", `Set ${DATABASE_URL}.`);
  requireOwner(databaseUrl, ref, url);
  process.env.DATABASE_URL = databaseUrl;
  return { ref, url, databaseUrl, sites };
}

/** @throws Problem unless the address is that of the owner of this project's database, at a pooler in session mode */
function requireOwner(databaseUrl: string, ref: string, url: string): void {
  const address = `postgresql://postgres.${ref}:<password>@<pooler>:5432/postgres?sslmode=require`;
  const example = `Example: ${address}`;
  requireDatabaseUrl(databaseUrl, address);
  const { username, hostname } = new URL(databaseUrl);
  const [role] = decodeURIComponent(username).split(".");
  if (role !== "postgres")
    throw new Problem(
      `DATABASE_URL names the role ${role}.`,
      `It must be postgres, the owner of the store. ${example}`,
    );
  requireProject("DATABASE_URL", databaseUrl, ref, example);
  // A stand-in of the platform on this machine has no pooler.
  if (projectOf(databaseUrl) === undefined && !isLoopback(url))
    throw new Problem(
      "DATABASE_URL names no project, so it may be that of another database.",
      `The migrations and the functions of ${ref} need the one of the project. ${example}`,
    );
  if (/^db\.[a-z]{20}\.supabase\.co$/.test(hostname))
    throw new Problem(
      "DATABASE_URL names the server itself, from which the address for the functions does not follow.",
      `Use that of the session pooler (Dashboard, Connect). ${example}`,
    );
}

/**
 * The address of the database for the functions, which follows from that of the owner: at a pooler of Supabase, its
 * port for transactions.
 */
export function functionsAddress(databaseUrl: string, password: string): string {
  const url = new URL(databaseUrl);
  const [, ...project] = decodeURIComponent(url.username).split(".");
  url.username = ["store_api", ...project].join(".");
  url.password = password;
  if (project.length > 0) url.port = "6543";
  return url.href;
}
