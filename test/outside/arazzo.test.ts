import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { signUp, signUpAdmin } from "../api/client.ts";
import { stack } from "../support/index.ts";

// Redocly respects what the documents say: paths, bodies, statuses and schemas of both OpenAPI files.
it("a program that knows the documents alone does the main job and lives a member's month", async () => {
  const admin = await signUpAdmin("Administrator of an outsider");
  const referrer = await signUp("Referrer of an outsider");
  const buyer = await signUp("Buyer of an outsider", referrer.uid);
  const folder = mkdtempSync(join(tmpdir(), "arazzo-"));
  const report = join(folder, "report.json");
  try {
    const { code, output } = await runCommand(process.execPath, [
      join(projectRoot, "node_modules/@redocly/cli/bin/cli.js"),
      "respect",
      join(projectRoot, "test/outside/store.arazzo.yaml"),
      ...["--workflow", "a-members-month", "--json-output", report],
      ...["--server", `api=${stack().functions_url}`, "--server", `adminapi=${stack().functions_url}`],
      ...[
        "--input",
        `admin=${admin.token}`,
        "--input",
        `referrer=${referrer.token}`,
        "--input",
        `buyer=${buyer.token}`,
      ],
    ]);
    expect(code, output).toBe(0);
    const { files } = JSON.parse(readFileSync(report, "utf8")) as { files: Record<string, { totalRequests: number }> };
    expect(Object.values(files)[0]!.totalRequests).toBeGreaterThanOrEqual(14);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
