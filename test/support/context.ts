import type { StackInfo } from "../../scripts/stack/stack.ts";
import type { TemplateDatabases } from "../../scripts/stack/template_databases.ts";

/** What `npm test` hands to the tests. */
export interface TestContext {
  stack: StackInfo;
  templates: TemplateDatabases;
  /** How the names of cloned databases begin. */
  clonePrefix: string;
  /** What the server wrote; undefined where it is not ours. */
  postgresLog?: string;
  /** The folder of psql and pg_dump. */
  clientPrograms: string;
}

/** @throws when vitest was started without `npm test`, which starts the stack that the tests need */
export function testContext(): TestContext {
  const text = process.env.STORE_TEST_CONTEXT;
  if (!text) throw new Error("These tests need the stack that `npm test` starts. Run: npm test -- <part of the file's path>");
  return JSON.parse(text) as TestContext;
}
