import { type Database, startNewDatabase } from "./database.ts";
import type { StackPlace } from "../ground/paths.ts";
import { createPlatformRoles } from "./platform.ts";
import { freePort } from "../ground/ports.ts";
import type { PostgresInstall } from "./install.ts";
import { Running } from "../ground/running.ts";
import { copyTemplate, createTemplates, type TemplateDatabases } from "./template_databases.ts";

/** A second server for tests in SQL. It has no Auth server and no scheduler. */
export interface EmbeddedTemplates {
  database: Database;
  templates: TemplateDatabases;
  /** The address of a copy of the migrated database, for its owner. */
  copyUrl: string;
  place: StackPlace;
  stop(): Promise<void>;
}

/** Starts the embedded Postgres beside the stack of a test run, without output. @param run the folder of the run */
export async function startEmbeddedTemplates(
  run: StackPlace,
  install: PostgresInstall,
  prefix: string,
): Promise<EmbeddedTemplates> {
  const running = new Running();
  const place = run.embedded;
  try {
    const database = await startNewDatabase(place, install, await freePort(), running);
    await createPlatformRoles(database);
    const templates = await createTemplates(database, prefix);
    const copyUrl = await copyTemplate(database, templates.migrated, `${prefix}_copy`);
    return { database, templates, copyUrl, place, stop: () => running.stop() };
  } catch (error) {
    await running.stop();
    throw error;
  }
}
