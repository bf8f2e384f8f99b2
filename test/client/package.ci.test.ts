import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve, type ServerType } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { launchTestBrowser } from "../browser/test_browser.ts";
import { clientPackage, clientPackageFile, packClient } from "../../scripts/release/client_package.ts";
import { deno, denoEnvironment } from "../../scripts/stack/functions.ts";
import { signUp } from "../api/client.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { skipFor, stack } from "../support/index.ts";

// The packed client in a project of its own, which has nothing else: it runs the example of apps/client/README.md, with
// the addresses of this stack.

const folder = mkdtempSync(join(tmpdir(), "store-client-user-"));

/** What the example prints. */
const expected = ["Reads by the package has 0 paid orders.", "Order 1: order_not_found"];

/** The ways to find a module that TypeScript has for Node and for bundlers. */
const resolutions = [
  ["nodenext", "nodenext"],
  ["bundler", "esnext"],
] as const;

async function run(command: string, ...args: string[]): Promise<string[]> {
  const { code, output, stdout } = await runCommand(command, args, {
    cwd: folder,
    env: { ...denoEnvironment, NO_COLOR: "1" },
  });
  expect(code, output).toBe(0);
  return stdout.trim().split("\n");
}

const compiler = join(projectRoot, "node_modules/typescript/bin/tsc");
const compiled = new Map<string, Promise<string[]>>();

/** Checks and compiles the project, once. */
async function compile(resolution: string): Promise<void> {
  if (!compiled.has(resolution)) compiled.set(resolution, run(process.execPath, compiler, "-p", `${resolution}.json`));
  await compiled.get(resolution);
}

beforeAll(async () => {
  const { email, password } = await signUp("Reads by the package");
  const { supabase_url, publishable_key } = stack();
  const values: Record<string, string> = {
    "https://<ref>.supabase.co": supabase_url,
    "<publishable key>": publishable_key,
    "<email>": email,
    "<password>": password,
  };
  const [, example] = /^```ts\n(import .*?)^```$/ms.exec(
    readFileSync(join(projectRoot, "apps/client/README.md"), "utf8"),
  )!;
  const text = Object.entries(values).reduce((rest, [name, value]) => rest.replaceAll(name, value), example!);
  expect(text).not.toMatch(/<\w+( \w+)?>"/);
  writeFileSync(join(folder, "example.ts"), text);
  writeFileSync(
    join(folder, "types.ts"),
    `import { type Admin, type Api, createStore, unwrap } from "${clientPackage.name}";
import { createAttempts } from "${clientPackage.name}/attempts";
import { parseItems } from "${clientPackage.name}/cart_items";
import { createMiniProgramApi } from "${clientPackage.name}/mini_program";
import { mostPictureBytes } from "${clientPackage.name}/pictures";
const { api, admin } = createStore({ functionsUrl: "" });
export const order = async (): Promise<Api["Order"]> => unwrap(api.GET("/api/order/{id}", { params: { path: { id: 1 } } }));
export const members = async (): Promise<Admin["Member"][]> => (await unwrap(admin.GET("/adminapi/user"))).list;
export const others = [createAttempts, parseItems, createMiniProgramApi, mostPictureBytes];
// @ts-expect-error -- there is no such path
export const nowhere = () => api.GET("/api/nowhere");
// @ts-expect-error -- the price of an order is a text
export const price = async (): Promise<number> => (await order()).pay_price;
`,
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  for (const [moduleResolution, module] of resolutions)
    writeFileSync(
      join(folder, `${moduleResolution}.json`),
      JSON.stringify({
        compilerOptions: {
          module,
          moduleResolution,
          strict: true,
          target: "es2022",
          lib: ["es2022", "dom"],
          types: [],
          outDir: moduleResolution,
        },
        files: ["example.ts", "types.ts"],
      }),
    );
  writeFileSync(join(folder, clientPackageFile), await packClient());
  await run("npm", "install", "--offline", "--no-audit", "--no-fund", `./${clientPackageFile}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const installed = () => join(folder, "node_modules", clientPackage.name);

describe("the package of the client", () => {
  it("has the version of the store, and a licence", () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as { version: string };
    expect(JSON.parse(readFileSync(join(installed(), "package.json"), "utf8"))).toMatchObject({
      version,
      type: "module",
      sideEffects: false,
    });
    expect(readFileSync(join(installed(), "LICENSE"), "utf8")).toBe(readFileSync(join(projectRoot, "LICENSE"), "utf8"));
  });

  it.each(resolutions)("has types that TypeScript finds by %s, and checks", async (resolution) => {
    await compile(resolution);
  });

  it("reads a store from Node", async () => {
    await compile("nodenext");
    expect(await run(process.execPath, "nodenext/example.js")).toEqual(expected);
  });

  it("reads a store from Deno, which also checks its types", async () => {
    const args = ["--check", "--no-lock", "--no-remote", "--cached-only", "--node-modules-dir=manual", "--allow-net"];
    expect(await run(deno, "run", ...args, "example.ts")).toEqual(expected);
  });

  skipFor(it, lacking("browser"))("reads a store from a browser, without a bundler", async () => {
    await compile("bundler");
    const imports = { [clientPackage.name]: `./node_modules/${clientPackage.name}/dist/index.js` };
    const app = new Hono();
    app.get("/", (context) =>
      context.html(
        `<script type="importmap">${JSON.stringify({ imports })}</script><script type="module" src="bundler/example.js"></script>`,
      ),
    );
    app.get("/*", serveStatic({ root: folder }));
    let server!: ServerType;
    const address = await new Promise<string>((resolve) => {
      server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}/`),
      );
    });
    const browser = await launchTestBrowser();
    try {
      const page = await browser.newPage();
      const printed: string[] = [];
      // The browser itself notes that the order was not found.
      page.on("console", (message) => message.type() === "log" && printed.push(message.text()));
      page.on("pageerror", (error) => printed.push(error.message));
      await page.goto(address);
      await expect.poll(() => printed).toEqual(expected);
    } finally {
      await browser.close();
      server.close();
    }
  });
});
