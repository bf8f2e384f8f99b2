import { join } from "node:path";
import { withConnection } from "../postgres/database_server.ts";
import { projectRoot } from "../ground/paths.ts";
import { withTable } from "./document_table.ts";
import type { GeneratedFile } from "./openapi_files.ts";

interface Row {
  name: string;
  title: string;
  preset: string;
  is_active: boolean;
  /** The comment of the function that the job calls. */
  comment: string;
}

/** The first sentence of a comment, without the functions that it only names in brackets. */
const whatItDoes = (comment: string) =>
  /^.*?\.(?=\s|$)/s
    .exec(comment)![0]
    .replaceAll(/ \(app\.\w+\)/g, "")
    .replaceAll(/\bapp\.[\w.]+\w(?:\(\))?/g, "`$&`");

/**
 * docs/schedule.md, whose table has the jobs of a new store and what the functions that they call say of themselves.
 * @param databaseUrl of a new store
 */
export async function scheduledJobs(databaseUrl: string): Promise<GeneratedFile> {
  const rows = await withConnection(
    databaseUrl,
    (sql) => sql<Row[]>`
      select j.name, j.title, j.preset, j.is_active,
        obj_description(to_regproc(substring(j.command from 'app\\.\\w+')), 'pg_proc') as comment
      from app.scheduled_jobs as j
      order by j.rank`,
  );
  const table = rows.map(
    ({ name, title, preset, is_active, comment }) =>
      `| \`${name}\` | ${title} | \`${preset}\`${is_active ? "" : ", switched off"} | ${whatItDoes(comment)} |\n`,
  );
  const head = "| job | name | preset | what it does |\n|---|---|---|---|\n";
  return withTable(join(projectRoot, "docs/schedule.md"), head, table);
}
