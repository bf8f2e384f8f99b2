import { writeFileSync } from "node:fs";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { engineFolder } from "../audit/engine.ts";
import { auditEngine, writeAuditEngine } from "../generate/audit_engine.ts";
import { ownerUrl } from "../postgres/database.ts";
import { billTypes } from "../generate/bill_types.ts";
import { declaredSettings } from "../generate/declared_settings.ts";
import { databaseTypes, databaseTypesFile } from "../generate/database_types.ts";
import { errorCodes } from "../generate/error_codes.ts";
import { eventTypes, eventTypesFile } from "../generate/event_types.ts";
import { keyScopes, keyScopesFile } from "../generate/key_scopes.ts";
import type { GeneratedFile } from "../generate/openapi_files.ts";
import { importMap } from "../generate/import_map.ts";
import { kitSchema, kitSchemaFile } from "../generate/kit_schema.ts";
import { Problem } from "../ground/problem.ts";
import { valueLists } from "../generate/value_lists.ts";
import { step } from "../ground/progress.ts";
import { readStackFile } from "../ground/stack_file.ts";
import { withTemporaryDatabases } from "../postgres/temporary_databases.ts";

const command = describeCommand({
  usage: "npm run gen",
  summary: `Writes the generated files: the TypeScript types, the catalogue of events, the error codes, the types of bill rows, the settings, the values of columns, the scopes of machine keys and what
decides, all from a freshly migrated database; the schema of the vectors of the rules; and, from the routes, the OpenAPI documents and the types of the client.`,
}).option("--pictures", "also take the pictures of README.md in the console of the running local stack");

function write(files: GeneratedFile[]): void {
  for (const { path, content } of files) {
    writeFileSync(path, content);
    console.log(`Written: ${path}`);
  }
}

async function generate({ pictures }: { pictures?: boolean }): Promise<void> {
  const stack = pictures ? readStackFile() : undefined;
  if (pictures && !stack)
    throw new Problem(
      "The pictures need a running local stack.",
      "Start it with `npm start` and run this command again.",
    );
  await withTemporaryDatabases(async (database, { migrated }) => {
    const url = ownerUrl(database, migrated);
    await step("Catalogue of events", async () => writeFileSync(eventTypesFile, await eventTypes(url)));
    write(await step("Error codes", () => errorCodes(url)));
    write(await step("Types of bill rows", () => billTypes(url)));
    write(await step("Settings", () => declaredSettings(url)));
    write([await step("Values of columns", () => valueLists(url))]);
    await step("Scopes of machine keys", async () => writeFileSync(keyScopesFile, await keyScopes(url)));
    await step("What decides, for auditors", async () => writeAuditEngine(await auditEngine(url)));
    await step("Types of the database", async () => writeFileSync(databaseTypesFile, await databaseTypes(url)));
  });
  write([await step("Import map of the edge functions", importMap)]);
  writeFileSync(kitSchemaFile, kitSchema());
  for (const file of [eventTypesFile, keyScopesFile, engineFolder, databaseTypesFile, kitSchemaFile])
    console.log(`Written: ${file}`);
  // Loaded on demand, because it takes long and --help does not need it.
  const { openapiFiles } = await import("../generate/openapi_files.ts");
  write(await step("OpenAPI documents and types of the client", openapiFiles));
  if (stack) {
    const { takeReadmePictures } = await import("../pictures/readme_pictures.ts");
    for (const file of await step("Pictures of README.md", () => takeReadmePictures(stack)))
      console.log(`Written: ${file}`);
  }
}

await runCommandLine(command, generate);
