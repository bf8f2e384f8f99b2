import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { runCommand } from "../ground/run_command.ts";
import type { ShowDetail } from "../ground/progress.ts";
import { withTable } from "./document_table.ts";
import type { GeneratedFile } from "./openapi_files.ts";

const path = join(projectRoot, "docs/dependencies.md");
const HEAD = `| package | for | in | licence | version | newest |
|---|---|---|---|---|---|
`;

/** A row of the table. */
interface Row {
  package: string;
  /** What it is for. People write it. */
  purpose: string;
  newest: string;
}

interface LockedPackage {
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The rows of the document. */
export function dependencyRows(): Row[] {
  const [, table = ""] = readFileSync(path, "utf8").split(HEAD);
  return [...table.matchAll(/^\| `([^`]+)` \| (.*?) ?\|.* (\S*) \|$/gm)].map(([, name, purpose, newest]) => ({
    package: name!,
    purpose: purpose!,
    newest: newest!,
  }));
}

/** The direct dependencies of the project and its workspaces: for each, which of them contain it. */
function directDependencies(packages: Record<string, LockedPackage>): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const [folder, { dependencies, devDependencies, optionalDependencies }] of Object.entries(packages))
    if (!folder.includes("node_modules/"))
      for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }))
        places.set(name, [...(places.get(name) ?? []), ...(dependencies?.[name] ? [basename(folder)] : [])]);
  return places;
}

/**
 * The document of the direct dependencies. A row that is there keeps what it is for; a new one says nothing yet.
 * @param newest the newest versions by package. Without it, those of the document stay
 */
export function documentOfDependencies(newest?: Map<string, string>): GeneratedFile {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const rows = new Map(dependencyRows().map((row) => [row.package, row]));
  const lines = [...directDependencies(packages)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, places]) => {
      const { version, license = "" } = packages[`node_modules/${name}`]!;
      const row = rows.get(name);
      const cells = [
        `\`${name}\``,
        row?.purpose ?? "",
        places.join(", "),
        license.replace(/^\((.*)\)$/, "$1"),
        version,
      ];
      return `| ${[...cells, newest?.get(name) ?? row?.newest ?? version].join(" | ")} |\n`;
    });
  const { content } = withTable(path, HEAD, lines);
  const day = new Date().toISOString().slice(0, 10);
  return { path, content: newest ? content.replace(/(?<=registry on )\d{4}-\d\d-\d\d/, day) : content };
}

/** Asks the npm registry for the newest version of each package of the document. */
export async function newestVersions(show: ShowDetail): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for (const { package: name } of dependencyRows()) {
    show(name);
    // The compiler has a name of its own here, because two versions are installed.
    const { code, stdout, output } = await runCommand("npm", [
      "view",
      name.replace(/^(typescript)7$/, "$1"),
      "version",
    ]);
    if (code !== 0) throw new Problem(`npm does not know the newest version of ${name}:\n${output}`, "Try again.");
    versions.set(name, stdout.trim());
  }
  return versions;
}
