import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { addProduct } from "../api/client.ts";
import { stack } from "../support/index.ts";

beforeAll(async () => {
  await addProduct("Example tea", "19.90", false);
});

/** Runs an example as a user would. @returns its output */
async function run(name: string): Promise<string[]> {
  const { supabase_url, publishable_key } = stack();
  const env = { ...process.env, STORE_URL: supabase_url, STORE_KEY: publishable_key };
  const { code, stdout, output } = await runCommand(
    process.execPath,
    ["node_modules/jiti/lib/jiti-cli.mjs", join("apps/client/examples", name)],
    {
      cwd: projectRoot,
      env,
    },
  );
  expect(code, output).toBe(0);
  return stdout.trim().split("\n");
}

describe("apps/client/examples", () => {
  it("member.ts places an order once, cannot read the order of another member, and cancels it", async () => {
    expect(await run("member.ts")).toEqual([
      "Sent twice, placed once.",
      expect.stringMatching(/^Ordered .+ for \d+\.\d{2}; the referrer is known\.$/),
      "The referrer may not read the order: order_not_found.",
      "The order is cancelled.",
    ]);
  });

  it("supabase_functions_invoke.ts calls through supabase-js with and without a session", async () => {
    expect(await run("supabase_functions_invoke.ts")).toEqual([
      expect.stringMatching(/^(Read ".+" first|Nothing to read before signing in)\.$/),
      "Commission 0.00, points 0.",
      "An order without items is rejected: invalid_argument at /items.",
    ]);
  });
});
