import type { Group } from "../checks/missing_tools.ts";
import type { StackInfo } from "../ground/stack_file.ts";
import type { TemplateDatabases } from "../postgres/template_databases.ts";
import type { PlannerSetting } from "./planner.ts";

/** The context that `npm test` passes to the tests. */
export interface TestContext {
  stack: StackInfo;
  /** Undefined beside a stack that somebody else has started. */
  templates?: TemplateDatabases;
  /** Where the stack stores mails, which nobody sends. */
  mails: string;
  /** The folder of a stopped store with its demo month, if a test of this run copies it. */
  demoStore?: string;
  /** The address of the process that lends running copies of it. */
  demoSites?: string;
  /** The prefix of the names of cloned databases. */
  clonePrefix: string;
  /** Postgres plans without this in cloned databases. */
  plannedWithout?: PlannerSetting;
  /** The port of PgBouncer, if the functions of this run connect through it. */
  poolerPort?: number;
  /** The log file of Postgres; undefined for a server of DATABASE_URL. */
  postgresLog?: string;
  /** The groups of tests that this machine cannot run. */
  missing: Group[];
  /** The folder of a pg_dump that fits the server, if there is one. */
  clientPrograms?: string;
}

/** @throws Error if vitest was started without `npm test`, which starts the stack for the tests */
export function testContext(): TestContext {
  const text = process.env.STORE_TEST_CONTEXT;
  if (!text)
    throw new Error("These tests need the stack that `npm test` starts. Run: npm test -- <part of the file's path>");
  return JSON.parse(text) as TestContext;
}

/** Whether this machine lacks what a group of tests needs. `npm test` names the group; its tests are skipped. */
export function lacks(group: Group): boolean {
  return testContext().missing.includes(group);
}

/** The reason for which tests that need these groups are skipped; undefined if this machine has what they need. */
export function lacking(...needed: Group[]): string | undefined {
  const missing = needed.filter(lacks);
  return missing.length === 0 ? undefined : `this machine lacks ${missing.join(", ")}`;
}
