import { readFileSync, watch } from "node:fs";
import { join, relative } from "node:path";
import { buildFunctions } from "../generate/function_bundles.ts";
import { projectRoot } from "../ground/paths.ts";
import { printError } from "../ground/problem.ts";
import { style } from "../ground/progress.ts";
import { sourceFiles } from "../postgres/source_database.ts";
import type { RunningStack } from "../stack/stack.ts";
import { applySql, bodiesOf, missingRoutines } from "./apply_sql.ts";

/** Editors write a file in several steps, and a change of branches changes many files. */
const QUIET_MS = 100;

/** The texts of the files of sql/, by their paths from the root of the project, in the order in which they are loaded. */
const readSql = () =>
  new Map(sourceFiles().map((path) => [relative(projectRoot, path), readFileSync(path, "utf8")] as const));

const isGenerated = (path: string) => path.startsWith("sql/from_the_catalogue/");

/** The texts of sql/ that a store has, if its functions may be older than their files. */
async function sqlOf(url: string): Promise<Map<string, string>> {
  const bodies = await bodiesOf(url);
  const without = (text: string) =>
    missingRoutines(text, bodies).reduce((rest, statement) => rest.replace(statement.text, ""), text);
  return new Map([...readSql()].map(([path, text]) => [path, without(text)]));
}

/** Applies what has changed in sql/, and says what was done and what is left. @returns the texts that the store now has */
async function updateDatabase(url: string, known: Map<string, string>): Promise<Map<string, string>> {
  const now = readSql();
  const files = [...new Set([...now.keys(), ...known.keys()])]
    .map((path) => ({ path, before: known.get(path) ?? "", after: now.get(path) ?? "" }))
    .filter(({ path, before, after }) => before !== after && !isGenerated(path));
  const generated = [...now].filter(([path]) => isGenerated(path)).map(([, text]) => text);
  const { done, left } = await applySql(url, files, generated);
  for (const title of done) console.log(`  ${style.good("✓")} ${title}`);
  if (left.length > 0)
    console.log(
      `  Not applied, because it concerns rows:\n${left.map((line) => `    ${line}`).join("\n")}
  With the data: put the statement into a migration (npm run migration:new). Without: npm run migration:fold, then npm start -- --reset.`,
    );
  return now;
}

/**
 * Applies changes of `sql/` and of `functions/` to a running stack. Vite serves those of the sites. What fails is tried
 * again at the next change.
 * @returns a function that ends it, after the change that is being applied
 */
export async function watchSources({
  info,
  serveBundles,
}: Pick<RunningStack, "info" | "serveBundles">): Promise<() => Promise<void>> {
  let known = await sqlOf(info.database_url);
  const work: Record<string, () => Promise<void>> = {
    sql: async () => {
      known = await updateDatabase(info.database_url, known);
    },
    functions: async () => {
      await serveBundles(await buildFunctions());
      console.log(`  ${style.good("✓")} the edge functions serve functions/`);
    },
  };
  // What was changed while no stack ran, and was not folded into the migrations.
  let last = work.sql!().catch(printError);
  await last;
  const watchers = Object.entries(work).map(([folder, update]) => {
    let timer: NodeJS.Timeout | undefined;
    return watch(join(projectRoot, folder), { recursive: true, persistent: false }, (_event, name) => {
      // Temporary files of editors have other endings.
      if (name && !/\.(?:sql|ts|tsx|json|wasm|woff2|glyphs)$/.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        last = last.then(update).catch(printError);
      }, QUIET_MS);
    });
  });
  console.log("\nChanges of sql/, functions/ and the sites are applied as you save them.");
  return async () => {
    for (const watcher of watchers) watcher.close();
    await last;
  };
}
