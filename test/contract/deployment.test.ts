import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deno, denoEnvironment, functionNames, lockedPackages } from "../../scripts/stack/functions.ts";
import { projectRoot } from "../../scripts/stack/paths.ts";
import { runSupabaseCli } from "../../scripts/stack/migrations.ts";
import { freePort } from "../../scripts/stack/ports.ts";
import { stack } from "../support/index.ts";

// The test unpacks the upload of `supabase functions deploy` into an empty folder and serves it from there. It would not start if a file
// were missing or came from outside the upload.

/** The upload of one function. */
interface Upload {
  metadata: { entrypoint_path: string; import_map_path: string; verify_jwt: boolean };
  files: File[];
}

const uploads = new Map<string, Upload>();
const folder = mkdtempSync(join(tmpdir(), "store-deployment-"));
const served: ChildProcess[] = [];

/** A fake of the platform's management API with the endpoints that a deployment calls. */
const platform = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  // eslint-disable-next-line @typescript-eslint/no-misused-promises -- an error becomes an unhandled rejection, which fails the run
  request.on("end", async () => {
    const url = new URL(request.url ?? "/", "http://platform");
    response.setHeader("content-type", "application/json");
    if (!url.pathname.endsWith("/functions/deploy")) return response.end(request.method === "GET" ? "[]" : "{}");
    const form = await new Response(Buffer.concat(chunks), { headers: { "content-type": request.headers["content-type"] ?? "" } }).formData();
    const slug = url.searchParams.get("slug") ?? "";
    uploads.set(slug, { metadata: JSON.parse(String(form.get("metadata"))), files: form.getAll("file") as File[] });
    response.statusCode = 201;
    response.end(JSON.stringify({ id: slug, slug, name: slug, status: "ACTIVE", version: 1, created_at: 1, updated_at: 1, verify_jwt: false }));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  const profile = join(folder, "profile.yaml");
  writeFileSync(profile, `name: test\napi_url: ${address}\ndashboard_url: ${address}\ndocs_url: ${address}\nproject_host: supabase.co\n`);
  const { code, output } = await runSupabaseCli(
    ["functions", "deploy", ...functionNames(), "--use-api", `--remote=${"a".repeat(20)}`, "--profile", profile],
    { SUPABASE_ACCESS_TOKEN: `sbp_${"0".repeat(40)}` },
  );
  expect(code, output).toBe(0);
});
afterAll(() => {
  served.forEach((child) => child.kill());
  platform.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Serves the upload of a function, without other files of this checkout. @returns its address */
async function serve(name: string): Promise<string> {
  const { metadata, files } = uploads.get(name)!;
  const place = join(folder, name);
  for (const file of files) {
    const path = join(place, file.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.from(await file.arrayBuffer()));
  }
  const port = await freePort();
  const child = spawn(deno, [
    // Hosted functions use no lock file. Here it prevents Deno from requesting the newest versions from the registry.
    "serve", ...lockedPackages(name), "--allow-net", "--allow-env", "--allow-read", "--allow-sys", "--host", "127.0.0.1", "--port", String(port),
    "--config", join(place, metadata.import_map_path), join(place, metadata.entrypoint_path),
  ], {
    cwd: place, stdio: "ignore",
    env: {
      PATH: process.env.PATH, ...denoEnvironment, STORE_DB_URL: stack().database_url, SUPABASE_URL: stack().supabase_url, STORE_JWT_SECRET: stack().jwt_secret,
    },
  });
  served.push(child);
  const address = `http://127.0.0.1:${port}`;
  await expect.poll(() => fetch(address).then(() => true, () => false), { timeout: 30_000 }).toBe(true);
  return address;
}

describe("the deployment", () => {
  it("contains all edge functions, which verify tokens themselves", () => {
    expect([...uploads.keys()].sort()).toEqual(functionNames().sort());
    for (const { metadata } of uploads.values()) expect(metadata.verify_jwt).toBe(false);
  });

  it("contains only files in functions/, and no test or secret", () => {
    for (const { files } of uploads.values()) {
      for (const { name } of files) expect(name).toMatch(/^functions\/(_shared|api|adminapi|poster|worker)\//);
    }
  });

  it("contains the files that poster reads at run time", () => {
    const names = uploads.get("poster")!.files.map(({ name }) => name);
    for (const name of readdirSync(join(projectRoot, "functions/poster/assets"))) expect(names).toContain(`functions/poster/assets/${name}`);
  });

  it.each([
    ["api", "/api/product", 200],
    ["adminapi", "/adminapi/system/metadata", 401],
    ["poster", "/poster/image/00000000-0000-4000-8000-000000000000.png", 404],
    ["worker", "/worker/run", 405],
  ])("works: %s responds to %s with %i", async (name, path, status) => {
    const response = await fetch(`${await serve(name)}${path}`);
    expect([response.status, await response.text()]).toEqual([status, expect.any(String)]);
  });
});
