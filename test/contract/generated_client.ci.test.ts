import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { addProduct, signUp, signUpAdmin } from "../api/client.ts";
import { stack } from "../support/index.ts";

const folder = mkdtempSync(join(tmpdir(), "generated-client-"));
const program = join(folder, "program.ts");
const installed = (path: string) => join(projectRoot, "node_modules", path);

beforeAll(async () => {
  await createClient(
    ["api", "adminapi"].map((name) => ({
      input: join(projectRoot, "functions", name, "openapi.json"),
      output: { path: join(folder, name) },
      plugins: ["@hey-api/client-fetch" as const, "@hey-api/typescript" as const, "@hey-api/sdk" as const],
      logs: { level: "silent" as const },
    })),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  cpSync(join(import.meta.dirname, "generated_client/program.ts"), program);
});
afterAll(() => rmSync(folder, { recursive: true }));

it("a client whose calls are generated from the documents compiles", async () => {
  const { code, output } = await runCommand(
    process.execPath,
    [
      installed("typescript/bin/tsc"),
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--target",
      "es2023",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
      "--lib",
      "es2023,dom,dom.iterable",
      "--typeRoots",
      installed("@types"),
      "--types",
      "node",
      program,
    ],
    { cwd: folder },
  );
  expect(output).toBe("");
  expect(code).toBe(0);
});

it("a client whose calls are generated from the documents can call the running functions", async () => {
  const [member, admin, product] = await Promise.all([
    signUp("Generated"),
    signUpAdmin("Generated office"),
    addProduct("Of a generated client", "19.90", false),
  ]);
  const { code, output } = await runCommand(
    process.execPath,
    [installed("jiti/lib/jiti-cli.mjs"), program, stack().functions_url, member.token, admin.token, String(product)],
    { cwd: folder },
  );
  expect(code, output).toBe(0);
  expect(JSON.parse(output)).toMatchObject({
    referrer: null,
    state: "paid",
    of_page: [expect.any(String), 0],
    of_member: ["Generated", null],
    of_metadata: ["1", "ok"],
    rejected: "invalid_argument",
  });
});
