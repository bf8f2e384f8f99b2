import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { difference } from "../../scripts/postgres/migration_history.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import { lacking, testContext } from "../../scripts/testing/context.ts";
import { connect, skipFor } from "../support/index.ts";
import { type CommandPlace, newCommandPlace } from "../../scripts/testing/command.ts";

const run = promisify(execFile);
let at: CommandPlace;
let database_url: string;
beforeAll(async () => {
  at = await newCommandPlace();
  const { code, output } = await at.run("start", "--no-demo", "--detach");
  expect(code, output).toBe(0);
  ({ database_url } = readStackFile(at.place)!);
});
afterAll(async () => {
  await at.run("stop");
  await at.remove();
});

skipFor(it, lacking("pg_dump"))(
  "npm start rejects a store with another migration history, and the commands that it shows dump the store and start over",
  async () => {
    const sql = connect(database_url);
    await sql`update supabase_migrations.schema_migrations set version = '2026110' || version`;
    await sql`insert into app.users (nickname) values ('Worth keeping')`;
    await sql.end();
    await at.run("stop");

    const failed = await at.run("start", "--detach");
    expect([failed.code, failed.output]).toEqual([1, expect.stringMatching(/(\d+) of its \1 migrations do not exist/)]);
    expect(failed.output).not.toContain("Unexpected error");
    const steps = failed.output
      .slice(failed.output.indexOf("start over:"))
      .match(/^ {2}(npm|\/).*$/gm)!
      .map((step) => step.trim());
    expect(steps).toEqual([
      "npm start -- --database-only --detach",
      expect.stringContaining(database_url),
      "npm stop",
      "npm start -- --reset",
    ]);

    for (const step of steps) {
      const [program, command, , ...args] = step.split(" ");
      if (program === "npm")
        expect(
          await at.run(
            command as "start" | "stop",
            ...args,
            ...(step.includes("--reset") ? ["--no-demo", "--detach"] : []),
          ),
        ).toMatchObject({ code: 0 });
      else await run("bash", ["-c", step], { cwd: at.place.directory });
    }
    const { stdout } = await run(join(testContext().clientPrograms!, "pg_restore"), [
      "--data-only",
      "--table=users",
      "--schema=app",
      "--file=-",
      join(at.place.directory, "store.dump"),
    ]);
    expect(stdout).toContain("Worth keeping");
  },
);

it.each([
  ["no migration was applied", [], ["1 a"], undefined],
  ["all migrations were applied", ["1 a"], ["1 a"], undefined],
  ["later migrations were added", ["1 a"], ["1 a", "2 b"], undefined],
  ["an applied migration does not exist", ["1 a", "2 b"], ["1 a"], "1 of its 2 migrations do not exist (2)."],
  ["an applied migration was edited", ["1 a"], ["1 b"], "1 has changed since it was applied."],
  [
    "a migration was added before an applied one",
    ["1 a", "3 c"],
    ["1 a", "2 b", "3 c"],
    "2 was not applied, but later ones were.",
  ],
])("the difference between two histories is described: %s", (_case, database, files, expected) => {
  const history = (entries: string[]) => new Map(entries.map((entry) => entry.split(" ") as [string, string]));
  expect(difference(history(database), history(files))).toBe(expected);
});
