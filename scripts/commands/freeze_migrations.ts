import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { projectVersion } from "../ground/project_version.ts";
import { Problem } from "../ground/problem.ts";
import { recordRelease, releases, unreleasedMigrations } from "../postgres/releases.ts";

const command = describeCommand({
  usage: "npm run migration:freeze",
  summary: `Records the migrations of the version of package.json in supabase/releases.json. From then on, a test fails if one of them is edited,
removed or preceded by another.`,
});

function freeze(): void {
  const version = projectVersion();
  if (releases().some((release) => release.version === version))
    throw new Problem(`Version ${version} is released already.`, "Set the next version in package.json first.");
  const names = unreleasedMigrations();
  recordRelease(version);
  console.log(`Recorded for ${version}: ${names.join(", ") || "no migration"}`);
}

await runCommandLine(command, freeze);
