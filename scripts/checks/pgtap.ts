import { join } from "node:path";
import { clientFolder } from "../postgres/install.ts";
import { describeFailure, type Outcome } from "./run_checks.ts";

/** The end of a run of pg_prove. */
export interface PgProveRun {
  code: number;
  output: string;
}

/** The lines in which pg_prove names failed tests and files, and psql the errors. */
const failureLines = /^#\s|^psql:.*(ERROR|FATAL|DETAIL)|\(Wstat:|^\s+(Failed test|Parse errors|Non-zero exit)/;

/**
 * The arguments of pg_prove: the same files as `supabase test db`. It prints tests that are skipped, which it counts as
 * passed. For each file it starts psql, which in the path of Debian is a script that first looks for a cluster, at
 * three times the cost of psql itself.
 */
export const pgProveArguments = (databaseUrl: string, paths: string[]) => [
  "--recurse",
  "--ext",
  ".sql",
  "--directives",
  "--psql-bin",
  join(clientFolder("psql")!, "psql"),
  "--dbname",
  databaseUrl,
  ...paths,
];

/** The tests that skip() left out: for each its file and the reason. */
function skippedTests(output: string): string[] {
  let file = "";
  return output.split("\n").flatMap((line) => {
    file = /^(\S+\.sql) \.\./.exec(line)?.[1] ?? file;
    const reason = /^ok \d+ # SKIP (.*)/i.exec(line)?.[1];
    return reason === undefined ? [] : [`${file}: ${reason}`];
  });
}

/** The outcome of a run of pg_prove. */
export function pgTapOutcome(title: string, { code, output }: PgProveRun): Outcome {
  const total = Number(output.match(/Tests=(\d+)/)?.[1] ?? 0);
  const skipped = skippedTests(output);
  const seconds = Number(output.match(/(\d+) wallclock secs/)?.[1] ?? 0);
  const named = [...output.matchAll(/Failed (\d+)\/\d+ subtests/g)].reduce((sum, match) => sum + Number(match[1]), 0);
  // A file that aborts before its plan fails without a failed test.
  const failed = code === 0 ? 0 : Math.max(named, 1);
  const reason = output
    .split("\n")
    .filter((line) => failureLines.test(line))
    .join("\n");
  return {
    passed: Math.max(total - failed - skipped.length, 0),
    failed,
    failures: failed === 0 ? [] : [describeFailure(title, reason)],
    repeated: [],
    skipped: [...new Set(skipped)].map((text) => `${title}: ${text}`),
    seconds: { [title]: seconds },
  };
}
