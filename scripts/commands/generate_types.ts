import { writeFileSync } from "node:fs";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { ownerUrl, withTemporaryDatabases } from "../stack/database.ts";
import { databaseTypes, databaseTypesFile } from "../stack/database_types.ts";
import { openapiFiles } from "../stack/openapi_files.ts";
import { step } from "../stack/progress.ts";

const command = describeCommand({
  usage: "npm run gen",
  summary: `Writes the TypeScript types of the database, read from a freshly migrated one, and from the routes the OpenAPI documents and the
types of the client.`,
});

async function generate(): Promise<void> {
  await withTemporaryDatabases((database, { migrated }) =>
    step("Types of the database", async () => writeFileSync(databaseTypesFile, await databaseTypes(ownerUrl(database, migrated)))),
  );
  console.log(`Written: ${databaseTypesFile}`);
  for (const { path, content } of await step("OpenAPI documents and types of the client", openapiFiles)) {
    writeFileSync(path, content);
    console.log(`Written: ${path}`);
  }
}

await runCommandLine(command, generate);
