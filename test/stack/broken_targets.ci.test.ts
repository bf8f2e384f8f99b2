import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";
import { type FakePlatform, startFakePlatform } from "../support/fake_platform.ts";
import { run } from "../commands/run.ts";

// Whatever is wrong with a project, its database or the sign-in: the commands that go there say in a sentence what it is
// and in another what to do, and do nothing else.

vi.setConfig({ testTimeout: 300_000 });

let platform: FakePlatform;
/** A database of a new project, one with a store, and one of something else. */
let [empty, store, other]: ClonedDatabase[] = [];
const folder = mkdtempSync(join(tmpdir(), "broken-targets-"));

beforeAll(async () => {
  platform = await startFakePlatform();
  [empty, store, other] = await Promise.all([cloneDatabase("platform"), cloneDatabase(), cloneDatabase("platform")]);
  const sql = connect(other.url);
  await sql`create schema api`;
  await sql.end();
});
afterEach(() => {
  platform.status = "ACTIVE_HEALTHY";
  delete platform.answer;
});
afterAll(async () => {
  platform.stop();
  for (const database of [empty, store, other]) await database?.drop();
  rmSync(folder, { recursive: true });
});

const PASSWORD = "not-to-be-shown";
const changed = (address: string, changes: Partial<URL>) => Object.assign(new URL(address), changes).href;
const pooler = (project: string, port: string) =>
  `postgresql://postgres.${project}:${PASSWORD}@aws-1-us-east-2.pooler.supabase.com:${port}/postgres`;

/** The commands, each as it changes nothing. */
const commands = {
  deploy: ["--dry-run"],
  doctor: [],
  upgrade: ["--check"],
};
type Command = keyof typeof commands;

async function outputOf(command: Command, env: Record<string, string>, project = platform.ref): Promise<string> {
  const address = ["--project", project, "--url", platform.address];
  const { code, output } = await run(command, [...address, ...commands[command]], {
    ...platform.environment,
    STORE_ADMINISTRATOR: "first@example.com",
    STORE_DB_URL: "",
    DATABASE_URL: store!.url,
    CI: "1",
    ...env,
  });
  expect([command, code], output).toEqual([command, command === "deploy" ? 2 : expect.toBeOneOf([1, 2])]);
  expect(output).not.toMatch(/^ +at |Unexpected error|"_tag"|\{"message/m);
  expect(output).not.toContain(PASSWORD);
  expect(output).not.toContain(platform.environment.SUPABASE_ACCESS_TOKEN);
  return output;
}

interface Broken {
  what: string;
  env?: () => Record<string, string>;
  arrange?: () => void;
  project?: string;
  /** What the commands say and advise. */
  said: RegExp;
  advised: RegExp;
  of?: Command[];
}

/** The management API refuses every request. */
const refuse = (status: number, message: string) => () => {
  platform.answer = ({ route }) => (/ \/v[12]\//.test(route) ? [status, { message }] : undefined);
};

const cases: Broken[] = [
  {
    what: "the password of the database is wrong",
    env: () => ({ DATABASE_URL: changed(store!.url, { password: PASSWORD }) }),
    said: /rejects the password of postgres/,
    advised: /Correct the password in DATABASE_URL/,
  },
  {
    what: "the database has a schema of something else",
    env: () => ({ DATABASE_URL: other!.url }),
    said: /the database is of something else: it has the schemas api/i,
    advised: /create a project for it/,
  },
  {
    what: "there is no network",
    env: () => {
      const profile = join(folder, "profile.yaml");
      const urls = ["api_url", "dashboard_url", "docs_url"].map((name) => `${name}: http://127.0.0.1:9\n`).join("");
      writeFileSync(profile, `name: test\n${urls}project_host: supabase.co\n`);
      return { SUPABASE_PROFILE: profile, DATABASE_URL: "postgresql://postgres@nowhere.invalid/postgres" };
    },
    said: /Transport ?error|could not be resolved/i,
    advised: /network connection of this machine/,
  },
  {
    what: "the project is paused",
    arrange: () => (platform.status = "INACTIVE"),
    said: /The project a{20} is paused/,
    advised: /Resume it in the Dashboard/,
  },
  {
    what: "the project is being restored",
    arrange: () => (platform.status = "RESTORING"),
    said: /The project a{20} is not ready: RESTORING/,
    advised: /Wait until the Dashboard shows it as healthy/,
  },
  {
    what: "the reference has a typo, or the token is of another account",
    project: "b".repeat(20),
    said: /The account has no project b{20}/,
    advised: /Look for a typo/,
  },
  {
    what: "the reference has too few letters",
    project: "b".repeat(19),
    said: /neither the reference of a project \(20 letters\) nor an address/,
    advised: /Example: --project/,
  },
  {
    what: "the token has expired",
    arrange: refuse(401, "Unauthorized"),
    said: /status 401: Unauthorized/,
    advised: /The token has expired, or is none. Run `npx supabase login`/,
  },
  {
    what: "the token is no token",
    env: () => ({ SUPABASE_ACCESS_TOKEN: "nonsense" }),
    said: /Invalid access token format/,
    advised: /The token has expired, or is none. Run `npx supabase login`/,
  },
  {
    what: "the token may not change the project",
    arrange: refuse(403, "Your account does not have the necessary privileges to access this endpoint."),
    said: /status 403: Your account does not have the necessary privileges/,
    advised: /Check that the token is of an account, and with permissions, that may change this project/,
  },
  {
    what: "DATABASE_URL is of another project",
    env: () => ({ DATABASE_URL: pooler("c".repeat(20), "5432") }),
    said: /DATABASE_URL names the project c{20}, not a{20}/,
    advised: /postgres\.a{20}:<password>|Set DATABASE_URL to the address of this project/,
  },
  {
    what: "DATABASE_URL leads through a pooler in transaction mode",
    env: () => ({ DATABASE_URL: pooler("a".repeat(20), "6543") }),
    said: /DATABASE_URL leads through a pooler in transaction mode/,
    advised: /Session pooler, port 5432/,
  },
  {
    what: "the functions would get a pooler in session mode",
    env: () => ({ STORE_DB_URL: pooler("a".repeat(20), "5432").replace("postgres.", "store_api.") }),
    said: /STORE_DB_URL leads through a pooler in session mode/,
    advised: /Change its port to 6543/,
    of: ["doctor"],
  },
  {
    what: "store.env has a pooler in session mode",
    arrange: () => {
      const file = join(platform.environment.SUPABASE_WORKDIR!, "store.env");
      writeFileSync(file, `STORE_DB_URL=${pooler("a".repeat(20), "5432").replace("postgres.", "store_api.")}\n`);
    },
    env: () => ({ DATABASE_URL: empty!.url }),
    said: /STORE_DB_URL leads through a pooler in session mode/,
    advised: /Change its port to 6543/,
    of: ["deploy"],
  },
];

describe("deploy, doctor and upgrade say what is wrong and what to do", () => {
  it.each(cases)("if $what", async ({ env, arrange, project, said, advised, of }) => {
    arrange?.();
    const given = env?.() ?? {};
    for (const command of of ?? (Object.keys(commands) as Command[])) {
      const output = await outputOf(command, given, project);
      expect(output, command).toMatch(said);
      expect(output, command).toMatch(advised);
    }
    rmSync(join(platform.environment.SUPABASE_WORKDIR!, "store.env"), { force: true });
  });

  it("with the Supabase CLI of package-lock.json, whatever other is first in the PATH", async () => {
    const program = join(folder, "supabase");
    writeFileSync(program, "#!/bin/sh\necho 'supabase 1.0.0 is too old for this' >&2\nexit 1\n");
    chmodSync(program, 0o755);
    const { output } = await run("doctor", ["--project", platform.ref, "--url", platform.address], {
      ...platform.environment,
      PATH: `${folder}:${process.env.PATH}`,
      DATABASE_URL: "",
      STORE_DB_URL: "",
    });
    expect(output).toMatch(/✓ yes +2 {2}The project runs/);
    expect(output).not.toContain("too old");
  });
});
