import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");

/** The name and default schedule of each job, sorted by name. */
const jobsIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name, preset]) => `${name}: ${preset}`).sort();

it("docs/schedule.md lists every scheduled job with its preset", () => {
  const defined = jobsIn(
    read("sql/21_schedule/scheduled_jobs.sql"),
    /\(\s*'(\w+)', '[^']*', '[^']*',\s+'(?:[^']|'')*',\s+'([^']*)'\s*\)/g,
  );
  expect(defined).toContain("fsgx_release_frozen_points: 1 0 * * *");
  expect(jobsIn(read("docs/schedule.md"), /^\| `(\w+)` \| `([^`]+)`/gm)).toEqual(defined);
});
