// The entry point of every npm script. It is plain JavaScript without dependencies, because it must work right after
// `git clone`. It installs the packages of package-lock.json, then runs the TypeScript command that its first argument
// names.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "./install_packages.mjs";

const scripts = dirname(fileURLToPath(import.meta.url));
const root = dirname(scripts);
const stampFile = join(root, "node_modules", ".package-lock.sha256");

function fail(message) {
  console.error(message);
  process.exit(2);
}

function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [wantedMajor, wantedMinor] = engines.node.match(/\d+/g).map(Number);
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
    fail(
      `This project needs Node ${engines.node}, but this is ${process.versions.node}.\nInstall a newer Node (https://nodejs.org) and try again.`,
    );
  }
}

/**
 * A hash of what determines node_modules: the lock file, the patches of packages, and the platform of the binary
 * packages.
 */
function wantedStamp() {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  const patches = join(root, "patches");
  for (const name of readdirSync(patches).sort()) hash.update(readFileSync(join(patches, name)));
  return hash.update(`${process.platform} ${process.arch}`).digest("hex");
}

async function requirePackages() {
  const stamp = wantedStamp();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  const failure = await installPackages(root);
  if (failure !== undefined) fail(failure);
  writeFileSync(stampFile, stamp);
}

requireNode();
await requirePackages();

const [command, ...rest] = process.argv.slice(2);
const entry = join(scripts, command);
process.argv = [process.argv[0], entry, ...rest];
const { createJiti } = await import("jiti");
// What it has translated is kept beside the packages: each run of the tests has a folder of temporary files of its own.
await createJiti(import.meta.url, { fsCache: join(root, "node_modules", ".cache", "jiti") }).import(entry);
