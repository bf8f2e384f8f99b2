import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { withDatabase } from "../../scripts/command_line/database.ts";
import { signIn } from "../../scripts/deploy/test_account.ts";
import { examineFunctionDatabase } from "../../scripts/doctor/database_findings.ts";
import { Problem } from "../../scripts/ground/problem.ts";
import { type Refusal, startRefusingServer } from "../support/refusing_server.ts";

// What others were told when a project of Supabase refused them, in the words of its pooler and its Auth server, and
// what the commands of this store say then.

afterEach(() => vi.unstubAllEnvs());

/** What a command says of the database at an address: a sentence and an advice. */
async function problemOf(address: string): Promise<string> {
  vi.stubEnv("DATABASE_URL", address);
  const problem: unknown = await withDatabase((sql) => sql`select 1`).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Problem);
  const { message, advice } = problem as Problem;
  return `${message} → ${advice}`;
}

const PROJECT = "a".repeat(20);

const reports: [report: string, said: Refusal, commands: RegExp, functions: RegExp][] = [
  [
    "supabase/cli#4277: the project is unknown to the pooler, or paused",
    { code: "XX000", message: "Tenant or user not found" },
    /Tenant or user not found \(XX000\) → The pooler does not know the project of DATABASE_URL.*resume it in the Dashboard/,
    /→ The pooler does not know the project of STORE_DB_URL/,
  ],
  [
    "supabase/supabase#49869: the same, since the pooler has codes",
    { code: "XX000", message: `(ENOTFOUND) tenant/user postgres.${PROJECT} not found` },
    /→ The pooler does not know the project of DATABASE_URL/,
    /→ The pooler does not know the project of STORE_DB_URL/,
  ],
  [
    "supabase/cli#5175: the password is wrong",
    { code: "28P01", message: 'password authentication failed for user "postgres"' },
    /rejects the password of postgres\.a{20}: .* → Correct the password in DATABASE_URL, with special characters percent-encoded/,
    /→ In the SQL editor: alter role store_api password/,
  ],
  [
    "supabase/supabase#21690: the pooler says so at the end of the sign-in, and the driver speaks of a signature",
    { scram: "e=Wrong password" },
    /rejects the password of postgres\.a{20}: .* → Correct the password in DATABASE_URL/,
    /→ In the SQL editor: alter role store_api password/,
  ],
  [
    "dbcodeio/public#1192: too many sign-ins have failed",
    {
      code: "XX000",
      message: "(ECIRCUITBREAKER) too many authentication failures, new connections are temporarily blocked",
    },
    /→ The pooler blocks the project for some minutes.*Correct the password in DATABASE_URL, and wait/,
    /→ The pooler blocks the project for some minutes.*STORE_DB_URL/,
  ],
  [
    "jikig-ai/soleur#5558: the pooler has no connection left in session mode",
    {
      code: "XX000",
      message: "(EMAXCONNSESSION) max clients reached in session mode - max clients are limited to pool_size: 15",
    },
    /→ The pooler has no connection left in session mode. See that the functions use port 6543/,
    /→ The pooler has no connection left in session mode. See that the functions use port 6543/,
  ],
];

describe("a pooler that refuses a connection is told by its reason, with what to do", () => {
  it.each(reports)("%s", async (_report, refused, commands, functions) => {
    const server = await startRefusingServer(refused);
    const said = await problemOf(server.url(`postgres.${PROJECT}`));
    expect(said).toMatch(commands);
    const findings = await examineFunctionDatabase(server.url(`store_api.${PROJECT}`));
    const found = findings.map(({ severity, message, hint }) => `${severity} ${message} → ${hint}`);
    expect(found).toEqual([expect.stringMatching(functions)]);
    expect(said + found.join()).not.toContain("not-to-be-shown");
    server.stop();
  });

  // supabase/cli#168: a statement that another client has prepared in the same connection.
  it("a pooler in transaction mode is told by the statement of another client, and by its port", async () => {
    const server = await startRefusingServer({
      code: "42P05",
      message: 'prepared statement "lrupsc_1_0" already exists',
      after: "sign-in",
    });
    const expected = /a pooler in transaction mode.* → .*Session pooler, port 5432/;
    expect(await problemOf(server.url(`postgres.${PROJECT}`))).toMatch(expected);
    server.stop();
    for (const host of ["aws-1-us-east-2.pooler.supabase.com", `db.${PROJECT}.supabase.co`])
      expect(await problemOf(`postgresql://postgres.${PROJECT}:secret@${host}:6543/postgres`)).toMatch(expected);
  });

  // supabase/cli#2490, supabase/cli#126: a password with special characters.
  it.each(["8b@$P8^oNZ/ap2", "50%", "a#b", "a?b"])("a password like %s has to be encoded", async (password) => {
    expect(await problemOf(`postgresql://postgres:${password}@127.0.0.1:1/postgres`)).toMatch(
      /DATABASE_URL is not a database URL\. → Percent-encode special characters of the password/,
    );
  });

  it("the functions are not let through a pooler in session mode, whose few connections their instances would hold", async () => {
    const [finding] = await examineFunctionDatabase(
      `postgresql://store_api.${PROJECT}:secret@aws-1-us-east-2.pooler.supabase.com:5432/postgres`,
    );
    expect(finding).toMatchObject({
      severity: "error",
      message: expect.stringContaining("session mode") as string,
      hint: expect.stringContaining("6543") as string,
    });
  });
});

// supabase/agent-skills#151: with a captcha, Auth refuses a password, too.
describe("where Auth takes no password alone, the smoke test signs in by a link that is used at once", () => {
  it.each([
    ["captcha_failed", 400],
    ["email_provider_disabled", 422],
  ])("as after %s", async (error_code, status) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const path = request.url!.replace(/\?.*/, "");
      asked.push(`${path} ${request.headers.authorization ? "with" : "without"} the secret key`);
      const isPassword = path.endsWith("/token");
      response.writeHead(isPassword ? status : 200, { "content-type": "application/json" });
      response.end(
        JSON.stringify(
          isPassword ? { code: status, error_code, msg: "no" } : { hashed_token: "hash", access_token: "token" },
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const account = { id: "", email: `smoke-test+1@${PROJECT}.supabase.co`, password: "p" };
    const session = await signIn({ ref: PROJECT, url, publishableKey: "public", secretKey: "secret" }, account);
    expect(session).toEqual({ token: "token", leftOut: `the sign-in by a password (${error_code})` });
    expect(asked).toEqual([
      "/auth/v1/token without the secret key",
      "/auth/v1/admin/generate_link with the secret key",
      "/auth/v1/verify without the secret key",
    ]);
    server.close();
  });
});
