import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { skipFor } from "../support/index.ts";
import { listenOnLoopback, stopServer } from "../support/loopback_server.ts";

interface Locked {
  integrity?: string;
  link?: boolean;
}

const packagesOf = (file: string) =>
  (JSON.parse(readFileSync(join(projectRoot, file), "utf8")) as { packages: Record<string, Locked> }).packages;

/** What npm has installed here. */
const installed = Object.entries(packagesOf("node_modules/.package-lock.json"))
  .filter(([path, { link }]) => path.includes("node_modules/") && !link)
  .map(([path]) => path);

let place: string;
const servers: Server[] = [];
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "store-install-"));
});
afterAll(async () => {
  await Promise.all(servers.map(stopServer));
  rmSync(place, { recursive: true });
});

/** A checkout, as far as an installation reads it. */
function checkout(name: string): string {
  const folder = join(place, name);
  for (const file of ["scripts/bootstrap.mjs", "scripts/install_packages.mjs"])
    cpSync(join(projectRoot, file), join(folder, file));
  mkdirSync(join(folder, "patches"));
  return folder;
}

/** A checkout with all that this project needs. */
function wholeCheckout(name: string): string {
  const folder = checkout(name);
  const workspaces = Object.keys(packagesOf("package-lock.json")).filter((path) => !path.includes("node_modules/"));
  for (const path of workspaces) cpSync(join(projectRoot, path, "package.json"), join(folder, path, "package.json"));
  cpSync(join(projectRoot, "package-lock.json"), join(folder, "package-lock.json"));
  return folder;
}

async function start(server: Server): Promise<string> {
  servers.push(server);
  return listenOnLoopback(server);
}

/** Runs a command of a checkout, by npm without settings and without anything in its cache. */
async function run(folder: string, registry: string, env: NodeJS.ProcessEnv = {}) {
  const since = performance.now();
  const result = await runCommand(process.execPath, ["scripts/bootstrap.mjs", "command.ts"], {
    cwd: folder,
    extendEnv: false,
    env: {
      // The tests themselves may run below npm.
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
      npm_config_globalconfig: join(folder, "no_global_npmrc"),
      npm_config_userconfig: join(folder, "no_npmrc"),
      npm_config_registry: registry,
      npm_config_cache: join(folder, "cache"),
      ...env,
    },
  });
  return { ...result, seconds: (performance.now() - since) / 1000 };
}

describe("the first command after a clone", () => {
  it("says how much it installs, and within seconds that the registry is not reachable", async () => {
    const { code, output, seconds } = await run(wholeCheckout("unreachable"), "http://127.0.0.1:1/");
    expect(code).toBe(2);
    expect(output).toContain(`Installing the ${installed.length} Node packages of package-lock.json`);
    expect(output).toContain("The npm registry http://127.0.0.1:1/ cannot be reached (ECONNREFUSED).");
    expect(output).toContain("npm config set registry <address>");
    expect(seconds).toBeLessThan(30);
  });

  it("says that the registry does not answer, instead of waiting for minutes", async () => {
    const base = await start(createServer(() => undefined));
    const { code, output, seconds } = await run(wholeCheckout("silent"), base);
    expect([code, output]).toEqual([2, expect.stringContaining(`The npm registry ${base} cannot be reached`)]);
    expect(seconds).toBeLessThan(60);
  });

  it("says how to trust the certificate of the registry, and trusts it then", async () => {
    const [key, certificate] = ["key.pem", "certificate.pem"].map((name) => join(place, name)) as [string, string];
    const { status, stderr } = spawnSync("openssl", [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1"],
      ...["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
    ]);
    expect(status, String(stderr)).toBe(0);
    const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_request, response) =>
      response.writeHead(404).end("{}"),
    );
    const registry = `${(await start(server)).replace("http:", "https:")}/`;
    const unknown = await run(wholeCheckout("unknown"), registry);
    expect([unknown.code, unknown.output]).toEqual([2, expect.stringContaining("set NODE_EXTRA_CA_CERTS to a file")]);
    expect(unknown.output).toContain(`The certificate of the npm registry ${registry} is not trusted`);
    const known = await run(wholeCheckout("known"), registry, { NODE_EXTRA_CA_CERTS: certificate });
    expect([known.code, known.output]).toEqual([2, expect.stringContaining("refused a package (E404)")]);
  });

  it("installs only if the lock file has changed, and runs", async () => {
    const folder = checkout("small");
    // A package in the place of the one that runs commands.
    const source = join(place, "package");
    mkdirSync(source);
    writeFileSync(join(source, "package.json"), JSON.stringify({ name: "jiti", version: "1.0.0", main: "index.cjs" }));
    writeFileSync(
      join(source, "index.cjs"),
      'exports.createJiti = () => ({ import: (file) => console.log("ran " + file) });',
    );
    const archive = join(place, "jiti.tgz");
    expect(spawnSync("tar", ["-czf", archive, "-C", place, "package"]).status).toBe(0);
    const content = readFileSync(archive);
    const base = await start(createServer((_request, response) => response.end(content)));
    const own = { name: "store", version: "1.0.0", engines: { node: ">=20" }, dependencies: { jiti: "1.0.0" } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(own));
    const jiti = {
      version: "1.0.0",
      resolved: `${base}/jiti.tgz`,
      integrity: `sha512-${createHash("sha512").update(content).digest("base64")}`,
    };
    // Packages for other machines, with what only they need.
    const other = { version: "1.0.0", optional: true, os: ["!linux", "!darwin"], dependencies: { below: "1.0.0" } };
    const lock = {
      ...own,
      lockfileVersion: 3,
      packages: {
        "": { ...own, optionalDependencies: { other: "1.0.0" } },
        "node_modules/jiti": jiti,
        "node_modules/other": other,
        "node_modules/below": { version: "1.0.0", optional: true },
      },
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ ...own, optionalDependencies: { other: "1.0.0" } }));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
    const first = await run(folder, base);
    expect([first.code, first.output]).toEqual([
      0,
      expect.stringContaining(`ran ${join(folder, "scripts/command.ts")}`),
    ]);
    expect(first.output).toContain("Installing the 1 Node packages");
    const second = await run(folder, "http://127.0.0.1:1/");
    expect(second.output).toBe(`ran ${join(folder, "scripts/command.ts")}\n`);
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock, null, 1));
    expect((await run(folder, base)).output).toContain("Installing the 1 Node packages");
  });
});

describe("the size of the packages that the first command names", () => {
  const figure = (unit: string) =>
    Number(
      new RegExp(`const ${unit}_MB = (\\d+);`).exec(
        readFileSync(join(projectRoot, "scripts/install_packages.mjs"), "utf8"),
      )![1],
    );
  const cache = join(spawnSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).stdout.trim(), "_cacache");
  const locked = packagesOf("package-lock.json");
  const archives = installed.flatMap((path) => {
    const [algorithm, hash] = locked[path]?.integrity?.split("-") ?? [];
    if (!algorithm || !hash) return [];
    const hex = Buffer.from(hash, "base64").toString("hex");
    return [join(cache, "content-v2", algorithm, hex.slice(0, 2), hex.slice(2, 4), hex.slice(4))];
  });

  skipFor(it, archives.every((file) => existsSync(file)) ? undefined : "The cache of npm lacks packages.")(
    "to download is right within a tenth",
    () => {
      const bytes = archives.reduce((sum, file) => sum + statSync(file).size, 0);
      expect(Math.abs(bytes / 1e6 / figure("DOWNLOAD") - 1), `${bytes} bytes`).toBeLessThan(0.1);
    },
  );

  it("on disk is right within a tenth", () => {
    const modules = join(projectRoot, "node_modules");
    const sizes = new Map<number, number>();
    for (const entry of readdirSync(modules).filter((name) => !name.startsWith(".")))
      for (const file of readdirSync(join(modules, entry), { recursive: true, withFileTypes: true })) {
        if (!file.isFile()) continue;
        // A file that has two names counts once.
        const { ino, size } = statSync(join(file.parentPath, file.name));
        sizes.set(ino, size);
      }
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(Math.abs(bytes / 1e6 / figure("DISK") - 1), `${bytes} bytes`).toBeLessThan(0.1);
  });
});
