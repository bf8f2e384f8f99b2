import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findInstall } from "../../scripts/postgres/install.ts";
import { type ClonedDatabase, cloneDatabase, connect, skipFor } from "../support/index.ts";

const folder = new URL("locks/", import.meta.url);
const specifications = readdirSync(folder).filter((file) => file.endsWith(".spec"));
const text = (file: string) => readFileSync(new URL(file, folder), "utf8");

/** The isolation tester of Postgres itself. Debian has it in postgresql-client. */
function findTester(): string | undefined {
  const path = join(findInstall()?.bin ?? "", "../lib/pgxs/src/test/isolation/isolationtester");
  return existsSync(path) ? path : undefined;
}
const tester = findTester();

// Each specification lets two sessions begin, act and commit in all sequences, and says what must hold after each.
skipFor(describe, tester ? undefined : "isolationtester is not installed")(
  "two sessions, in every sequence of their steps",
  () => {
    let database: ClonedDatabase;
    beforeAll(async () => {
      database = await cloneDatabase();
      const sql = connect(database.url);
      await sql.unsafe(text("../fixture.sql"));
      await sql.end();
    });
    afterAll(() => database.drop());

    /** How many sequences were tried, and what did not hold. */
    const outcomes = (specification: string) => {
      const { stdout, stderr, error } = spawnSync(tester!, [database.url], {
        input: specification,
        encoding: "utf8",
        timeout: 60_000,
      });
      if (error) throw error;
      const lines = (stdout + stderr).split("\n");
      return {
        tried: lines.filter((line) => line.startsWith("starting permutation")).length,
        holds: lines.filter((line) => line.startsWith("HOLDS")).length,
        problems: lines.filter((line) => /ERROR|deadlock|^WRONG|^FOUND|timed out/.test(line)),
      };
    };

    it.each(specifications)("%s", (file) => {
      expect(outcomes(text(file))).toEqual({ tried: 6, holds: 6, problems: [] });
    });

    it("are found to collide without the lock of an order", async () => {
      const sql = connect(database.url);
      try {
        const [{ lock }] =
          (await sql`select pg_get_functiondef('app.lock_order(bigint)'::regprocedure) as lock`) as unknown as [
            { lock: string },
          ];
        await sql.unsafe(lock.replace(/for (no key )?update/, ""));
        const { problems } = outcomes(text("refund_refund.spec"));
        await sql.unsafe(lock);
        expect(problems).not.toEqual([]);
      } finally {
        await sql.end();
      }
    });
  },
);
