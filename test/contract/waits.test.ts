import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { LONGEST_WAIT_MS } from "../support/longest_wait.ts";
import { testSources } from "../support/test_sources.ts";

// A wait for something that must happen has one limit, LONGEST_WAIT_MS. A shorter one fails on a machine that is slower
// than the author's.

/** Waits that are repeated by another wait, which has the limit. */
const WITHIN_ANOTHER: Record<string, string> = {
  "test/browser/payments.ci.test.ts": "waitFor({ timeout: 1000 })",
};

const sources = testSources(/(?<!contract\/waits\.test)\.ts$/).map((file) => ({
  file,
  text: readFileSync(join(projectRoot, file), "utf8"),
}));

/** The calls that wait, each with its arguments: to the parenthesis that closes it. */
function waitsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:waitFor|waitUntil|poll)\(/g)].map(({ 0: call, index }) => {
    let depth = 1;
    let end = index + call.length;
    for (; depth > 0 && end < text.length; end++) depth += text[end] === "(" ? 1 : text[end] === ")" ? -1 : 0;
    return text.slice(index, end);
  });
}

const limitOf = (wait: string) =>
  Number(
    /\btimeout: ([\d_]+)|, (\d[\d_]+),?\s*\)$/.exec(wait)?.slice(1).find(Boolean)?.replaceAll("_", "") ?? Infinity,
  );

it("no wait has a shorter limit of its own", () => {
  const waits = sources.flatMap(({ file, text }) => waitsIn(text).map((wait) => ({ file, wait })));
  expect(waits.length).toBeGreaterThan(300);
  const short = waits.filter(
    ({ file, wait }) => limitOf(wait) < LONGEST_WAIT_MS && !wait.includes(WITHIN_ANOTHER[file] ?? "\0"),
  );
  expect(short.map(({ file, wait }) => `${file}: ${wait}`)).toEqual([]);
});

it("a shorter limit is found wherever it stands", () => {
  const text =
    "await vi.waitFor(async () => expect(await f()).toBe(1), { timeout: 30_000 });\nawait vi.waitUntil(() => done(), 1_000);\nawait page.waitFor({ timeout: 5 });";
  expect(waitsIn(text).map(limitOf)).toEqual([30_000, 1_000, 5]);
});
