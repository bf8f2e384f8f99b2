import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { projectVersion } from "../ground/project_version.ts";
import {
  recordRelease,
  requireReleasedMigrations,
  requireUnreleased,
  unreleasedMigrations,
} from "../postgres/releases.ts";

const command = describeCommand({
  usage: "npm run migration:freeze",
  summary: `Records the migrations of the version of package.json in supabase/releases.json. From then on, a test fails if one of them is edited,
removed or preceded by another.`,
  notes: "It does not compare them with sql/: run the tests before it (docs/releasing.md).",
});

function freeze(): void {
  const version = projectVersion();
  requireUnreleased(version);
  requireReleasedMigrations();
  const names = unreleasedMigrations();
  recordRelease(version);
  console.log(`Recorded for ${version}: ${names.join(", ") || "no migration"}`);
}

await runCommandLine(command, freeze);
