import { writeFileSync } from "node:fs";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { engineFolder } from "../audit/engine.ts";
import { documentOfGoingLive } from "../doctor/points.ts";
import { auditEngine, writeAuditEngine } from "../generate/audit_engine.ts";
import { ownerUrl } from "../postgres/database.ts";
import { billTypes } from "../generate/bill_types.ts";
import { declaredSettings } from "../generate/declared_settings.ts";
import { documentOfDependencies, newestVersions } from "../generate/dependency_document.ts";
import { databaseTypes, databaseTypesFile } from "../generate/database_types.ts";
import { errorCodes } from "../generate/error_codes.ts";
import { eventTypes, eventTypesFile } from "../generate/event_types.ts";
import { documentOfGuarantees } from "../generate/guarantees_document.ts";
import { keyScopes, keyScopesFile } from "../generate/key_scopes.ts";
import type { GeneratedFile } from "../generate/openapi_files.ts";
import { importMap } from "../generate/import_map.ts";
import { kitSchema, kitSchemaFile } from "../generate/kit_schema.ts";
import { documentOfSizes } from "../generate/size_document.ts";
import { Problem } from "../ground/problem.ts";
import { scheduledJobs } from "../generate/scheduled_jobs.ts";
import { sortKeys } from "../generate/sort_keys.ts";
import { valueLists } from "../generate/value_lists.ts";
import { step } from "../ground/progress.ts";
import { readStackFile } from "../ground/stack_file.ts";
import { withTemporaryDatabases } from "../postgres/temporary_databases.ts";

const command = describeCommand({
  usage: "npm run gen",
  summary: `Writes the generated files: the TypeScript types, the catalogue of events, the error codes, the types of bill rows, the settings, the values of columns, the sort keys of lists, the scheduled jobs, the scopes of machine keys and what
decides, all from a freshly migrated database; the schema of the vectors of the rules; the guarantees, from the tests; and, from the routes, the OpenAPI documents and the types of the client.`,
})
  .option("--newest", "also ask the npm registry for the newest versions of docs/dependencies.md")
  .option("--pictures", "also take the pictures of README.md in the console of the running local stack");

function write(files: GeneratedFile[]): void {
  for (const { path, content } of files) {
    writeFileSync(path, content);
    console.log(`Written: ${path}`);
  }
}

async function generate({ newest, pictures }: { newest?: boolean; pictures?: boolean }): Promise<void> {
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
    write([await step("Sort keys of lists", () => sortKeys(url))]);
    write([await step("Scheduled jobs", () => scheduledJobs(url))]);
    await step("Scopes of machine keys", async () => writeFileSync(keyScopesFile, await keyScopes(url)));
    await step("What decides, for auditors", async () => writeAuditEngine(await auditEngine(url)));
    await step("Types of the database", async () => writeFileSync(databaseTypesFile, await databaseTypes(url)));
  });
  write([await step("Import map of the edge functions", importMap)]);
  write([documentOfGuarantees()]);
  write([documentOfSizes()]);
  write([documentOfGoingLive()]);
  write([
    documentOfDependencies(newest ? await step("Newest versions of the dependencies", newestVersions) : undefined),
  ]);
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
