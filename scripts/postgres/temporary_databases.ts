import { type Database, startDatabase } from "./database.ts";
import { createExternalDatabase } from "./external_server.ts";
import { createPlatformRoles } from "./platform.ts";
import { freePort } from "../ground/ports.ts";
import { step } from "../ground/progress.ts";
import { Running } from "../ground/running.ts";
import { createTemplates, dropDatabases, type TemplateDatabases } from "./template_databases.ts";
import { withTemporaryPlace } from "./temporary_place.ts";

/**
 * Runs `work` with a temporary server that has only the template databases.
 * @param folder of the migrations, if not that of the project
 */
export function withTemporaryDatabases<T>(
  work: (database: Database, templates: TemplateDatabases) => Promise<T>,
  folder?: string,
): Promise<T> {
  return withTemporaryPlace(async (place) => {
    const running = new Running();
    const external = await createExternalDatabase();
    const prefix = external ?? "store_temporary";
    try {
      const database = await startDatabase(place, await freePort(), running, external);
      await createPlatformRoles(database);
      const templates = await step("Template databases", () => createTemplates(database, prefix, folder));
      const result = await work(database, templates);
      if (external) await dropDatabases(database.server, external);
      return result;
    } finally {
      await running.stop();
    }
  });
}
