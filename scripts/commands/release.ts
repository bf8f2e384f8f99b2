import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { printTable } from "../command_line/table.ts";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { projectVersion } from "../ground/project_version.ts";
import { step } from "../ground/progress.ts";
import { isReleased, requireReleasedMigrations, unreleasedMigrations } from "../postgres/releases.ts";
import { type Artifact, artifactsOf, checksumLine } from "../release/artifacts.ts";
import { type ReleaseNotes, releaseNotes } from "../release/changelog.ts";
import { cleanCommit, createTag, isTagged } from "../release/repository.ts";

const command = describeCommand({
  usage: "npm run release --",
  summary: `Makes what belongs to the release of the version in package.json, from a clean checkout, in dist/release/<version>: the edge functions, both
sites and the mini program, the migrations, the client as a package, the OpenAPI documents, the guarantees, the packages of npm, the release notes and
the checksums. The same commit gives the same bytes.`,
  notes: "Exit status: 0 made, 2 refused or failed: the message says what to do.",
})
  .option("--dry-run", "say what would be made, and make nothing")
  .option("--tag", "create the annotated tag v<version>, with the release notes");

interface Options {
  dryRun?: boolean;
  tag?: boolean;
}

/** Makes all files and their checksums in an empty folder. */
async function makeFiles(artifacts: Artifact[], folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let sums = "";
  for (const { title, file, make } of artifacts) {
    const content = await step(`${title}: ${file}`, make);
    writeFileSync(join(folder, file), content);
    sums += checksumLine(file, content);
  }
  writeFileSync(join(folder, "SHA256SUMS"), sums);
}

/**
 * @throws Problem unless the version has its date and its migrations are recorded as they are, so that nobody edits
 * them
 */
function requireFinished(version: string, { isDated }: ReleaseNotes): void {
  if (!isDated)
    throw new Problem(
      `CHANGELOG.md says that ${version} is not released.`,
      `Put the date in place of "unreleased", and commit it.`,
    );
  if (!isReleased(version))
    throw new Problem(
      `supabase/releases.json does not have the migrations of ${version}.`,
      "Run `npm run migration:freeze`, and commit what it writes.",
    );
  requireReleasedMigrations();
  const later = unreleasedMigrations();
  if (later.length > 0)
    throw new Problem(
      `supabase/releases.json has the migrations of ${version} without ${later.join(", ")}.`,
      `They came after \`npm run migration:freeze\`: take ${version} out of the file, and freeze again.`,
    );
}

async function release({ dryRun = false, tag = false }: Options): Promise<void> {
  const version = projectVersion();
  const commit = await cleanCommit();
  const notes = releaseNotes(version);
  const isThere = await isTagged(`v${version}`, commit);
  if (tag || isThere) requireFinished(version, notes);
  const artifacts = artifactsOf(commit, notes);
  const folder = join("dist/release", version);

  console.log(`Release ${version} of the commit ${commit.id.slice(0, 12)}:\n`);
  if (dryRun) {
    printTable(
      ["file", "content"],
      artifacts.map(({ file, title }) => [file, title]),
    );
    return;
  }
  // The folder of a version is complete, or not there.
  const unfinished = join(projectRoot, `${folder}.unfinished`);
  await makeFiles(artifacts, unfinished);
  rmSync(join(projectRoot, folder), { recursive: true, force: true });
  renameSync(unfinished, join(projectRoot, folder));
  console.log(`\nWritten: ${folder}`);
  if (tag && !isThere) await createTag(`v${version}`, commit, notes.text);
  if (tag) console.log(`The tag v${version} is at this commit. Publish it: git push origin v${version}`);
}

await runCommandLine(command, release, 2);
