import { writeFileSync } from "node:fs";
import { ownerUrl, withTemporaryDatabases } from "../stack/database.ts";
import { databaseTypes, databaseTypesFile } from "../stack/database_types.ts";
import { openapiFiles } from "../stack/openapi_files.ts";
import { printError } from "../stack/problem.ts";
import { step } from "../stack/progress.ts";

/**
 * `npm run gen`: writes the TypeScript types of the database, read from a freshly migrated one, and from the routes the OpenAPI
 * documents and the types of the client.
 */
async function main(): Promise<void> {
  await withTemporaryDatabases((database, { migrated }) =>
    step("Types of the database", async () => writeFileSync(databaseTypesFile, await databaseTypes(ownerUrl(database, migrated)))),
  );
  console.log(`Written: ${databaseTypesFile}`);
  for (const { path, content } of await step("OpenAPI documents and types of the client", openapiFiles)) {
    writeFileSync(path, content);
    console.log(`Written: ${path}`);
  }
}

await main().catch((error: unknown) => {
  printError(error);
  process.exitCode = 1;
});
