import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { withDatabase } from "../command_line/database.ts";
import { runAsUser } from "../command_line/supabase_cli.ts";
import { examineFunctionDatabase, OTHER_VERSION } from "../doctor/database_findings.ts";
import type { Finding } from "../doctor/finding.ts";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { lastLines } from "../ground/run_command.ts";
import {
  difference,
  historyOfDatabase,
  historyOfFiles,
  OF_SOMETHING_ELSE,
  somethingElse,
} from "../postgres/migration_history.ts";
import type { Platform } from "./platform.ts";
import type { Step } from "./step.ts";
import { readStoreEnv } from "./store_env.ts";
import type { Target } from "./target.ts";

/** The extensions that the store needs of the platform, with the schema that each brings. */
const EXTENSIONS = { pg_cron: "cron", pg_net: "net" };

const missingExtensions = () =>
  withDatabase(async (sql) => {
    const rows = await sql<{ schema: string }[]>`
      select s as schema from unnest(${Object.values(EXTENSIONS)}::text[]) as s where to_regnamespace(s) is null`;
    return Object.entries(EXTENSIONS).flatMap(([name, schema]) =>
      rows.some((row) => row.schema === schema) ? [name] : [],
    );
  });

export const extensions: Step = {
  name: "Extensions",
  byHand: Object.keys(EXTENSIONS).map((name) => `create extension if not exists ${name};`),
  async left() {
    const missing = await missingExtensions();
    return missing.length === 0 ? undefined : `enable ${missing.join(" and ")}`;
  },
  async run() {
    for (const name of await missingExtensions())
      await withDatabase((sql) =>
        sql.unsafe(`create extension if not exists ${name}`).catch((error: unknown) => {
          throw new Problem(
            `${name} cannot be enabled: ${(error as Error).message}`,
            "Enable it in the Dashboard, Integrations.",
          );
        }),
      );
  },
};

/** The address without its password, which every user of the machine could read in the arguments of a command. */
export function withoutPassword(databaseUrl: string): { address: string; password: string } {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = "";
  return { address: url.href, password };
}

/** What the database says. The CLI prints the failed statement, too, which may have thousands of lines. */
const reasonIn = (output: string) => /^.*(?:ERROR:|SQLSTATE).*$/m.exec(output)?.[0] ?? lastLines(output);

export function migrations({ databaseUrl }: Target): Step {
  const { address, password } = withoutPassword(databaseUrl);
  return {
    name: "Migrations",
    byHand: [`PGPASSWORD=<database password> npx supabase db push --remote='${address}'`],
    async left() {
      const files = historyOfFiles();
      const [applied, other] = await withDatabase(async (sql) => {
        const history = await historyOfDatabase(sql);
        return [history, await somethingElse(sql, history, files)] as const;
      });
      if (other !== undefined)
        throw new Problem(
          `The database is of something else: it has ${other}. Nothing was changed.`,
          OF_SOMETHING_ELSE,
        );
      const found = difference(applied, files);
      if (found)
        throw new Problem(`The database was migrated by another version: ${found} Nothing was changed.`, OTHER_VERSION);
      return files.size === applied.size ? undefined : `apply ${files.size - applied.size} of ${files.size}`;
    },
    async run(show) {
      const { code, output } = await runAsUser(["db", "push", `--remote=${address}`, "--yes"], projectRoot, show, {
        PGPASSWORD: password,
      });
      if (code !== 0)
        throw new Problem(
          `The migrations were not applied:\n${reasonIn(output)}`,
          "A migration is applied as a whole or not at all. Correct what the message names. If it names a lock, just try again.",
        );
    },
  };
}

/**
 * What Postgres stores of a password (RFC 5802). With it in place of the password, no log of statements has the
 * password.
 */
function verifierOf(password: string): string {
  const [salt, iterations] = [randomBytes(16), 4096];
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const keyed = (text: string) => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(keyed("Client Key")).digest("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${keyed("Server Key").toString("base64")}`;
}

export function password(platform: Platform): Step {
  return {
    name: "Password of the functions",
    byHand: ["alter role store_api password '<that of STORE_DB_URL in store.env>';"],
    async left() {
      const { STORE_DB_URL: address } = readStoreEnv();
      // What only the platform has, an earlier deployment has set.
      const isSet =
        address === undefined
          ? platform.secrets.has("STORE_DB_URL")
          : (await examineFunctionDatabase(address)).every(isOk);
      return isSet ? undefined : "set it, so that store_api can sign in";
    },
    async run() {
      const { password: text } = new URL(readStoreEnv().STORE_DB_URL!);
      await withDatabase((sql) =>
        sql.unsafe(`alter role store_api password '${verifierOf(decodeURIComponent(text))}'`),
      );
    },
  };
}

const isOk = ({ severity }: Finding) => severity === "ok";

/** The secrets in Vault by which pg_cron calls the worker. */
export type VaultSecrets = ReadonlyMap<string, string>;

export function readVault(): Promise<VaultSecrets> {
  return withDatabase(async (sql) => {
    const [vault] = await sql<{ here: boolean }[]>`select to_regclass('vault.decrypted_secrets') is not null as here`;
    if (!vault?.here) return new Map<string, string>();
    const rows = await sql<{ name: string; secret: string }[]>`
      select name, decrypted_secret as secret from vault.decrypted_secrets where name in ('store_worker_url', 'store_worker_secret')`;
    return new Map(rows.map(({ name, secret }) => [name, secret]));
  });
}

export function worker({ url }: Target): Step {
  /** Without the secret in store.env, what Vault has is kept. */
  const wanted = () => {
    const { STORE_WORKER_SECRET: secret } = readStoreEnv();
    return Object.entries({
      store_worker_url: `${url}/functions/v1/worker/run`,
      ...(secret && { store_worker_secret: secret }),
    });
  };
  const differing = async () => {
    const vault = await readVault();
    return wanted().filter(([name, value]) => vault.get(name) !== value);
  };
  return {
    name: "Calls of the worker",
    byHand: wanted().map(
      ([name]) =>
        `select vault.create_secret('<${name === "store_worker_url" ? "address" : "STORE_WORKER_SECRET"}>', '${name}');`,
    ),
    async left() {
      const names = (await differing()).map(([name]) => name);
      return names.length === 0 ? undefined : `put ${names.join(" and ")} into Vault`;
    },
    async run() {
      for (const [name, value] of await differing())
        await withDatabase(async (sql) => {
          const [known] = await sql<{ id: string }[]>`select id from vault.secrets where name = ${name}`;
          if (known) await sql`select vault.update_secret(${known.id}, ${value})`;
          else await sql`select vault.create_secret(${value}, ${name})`;
        });
    },
  };
}
