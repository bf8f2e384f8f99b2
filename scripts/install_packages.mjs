// Installs the packages of package-lock.json by `npm ci`. Like bootstrap.mjs, it needs no package.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What an installation loads and writes, in MB. test/commands/install.ci.test.ts measures both. */
const DOWNLOAD_MB = 260;
const DISK_MB = 810;

/** How long npm may take for the first package before the registry is asked whether it answers. */
const PATIENCE_MS = 4000;
/** How long it may take to answer. */
const ANSWER_MS = 8000;

/** Whether a field of a package, such as `os`, admits a value. `!win32` excludes one. */
function admits(field, value) {
  if (field === undefined) return true;
  return field.some((each) => !each.startsWith("!")) ? field.includes(value) : !field.includes(`!${value}`);
}

function suitsThisMachine({ os, cpu, libc }) {
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  return (
    admits(os, process.platform) &&
    admits(cpu, process.arch) &&
    (process.platform !== "linux" || admits(libc, isGlibc ? "glibc" : "musl"))
  );
}

/** The folders of the packages that npm installs on this machine, from the root of the project. */
function foldersOf(root) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const isPackage = (path) => path.includes("node_modules/") && !packages[path].link;
  let paths = Object.keys(packages).filter((path) => !isPackage(path) || suitsThisMachine(packages[path]));
  // Without those that only packages for other machines need.
  for (let before; before !== paths.length;) {
    before = paths.length;
    const needed = new Set(
      paths.flatMap((path) => {
        const { dependencies, devDependencies, optionalDependencies, peerDependencies } = packages[path];
        return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies });
      }),
    );
    paths = paths.filter((path) => !isPackage(path) || needed.has(path.replace(/^.*node_modules\//, "")));
  }
  return paths.filter(isPackage);
}

/** Why the registry could not be used, and what to do, by the code of npm. @returns undefined for other errors */
function explain(code, registry) {
  if (/CERT|SIGNED|^UNABLE_TO|^ERR_(?:TLS|SSL)/.test(code))
    return `The certificate of the npm registry ${registry} is not trusted (${code}).
If a proxy of your network replaces certificates, set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority in PEM.
If \`npm config get cafile\` names a file, the certificate belongs there.`;
  if (
    /^E(?:NOTFOUND|AI_AGAIN|CONN|TIMEDOUT|IDLETIMEOUT|NETUNREACH|HOSTUNREACH|PIPE|PROTO)|^ERR_SOCKET|^FETCH_ERROR/.test(
      code,
    )
  )
    return `The npm registry ${registry} cannot be reached (${code}).
Connect this machine to the network, or set what your network needs:
  a mirror of the registry   npm config set registry <address>
  a proxy                    npm config set https-proxy <address>, or HTTPS_PROXY`;
  if (/^E(?:401|403|404|5\d\d)$/.test(code))
    return `The npm registry ${registry} refused a package (${code}).
If it is a mirror, see whether it has the package and whether you are signed in (npm login), or set another one: npm config set registry <address>`;
  return undefined;
}

/** The code of the error in what npm has printed, such as `ENOTFOUND`. */
const codeOf = (text) => /^npm (?:error|ERR!) code (\S+)/m.exec(text)?.[1];

/** Runs npm. @returns the process, and how it ends: its status and what it has said on its standard error */
function npm(root, stdout, args) {
  const child = spawn("npm", [...args, "--loglevel=error"], { cwd: root, stdio: ["ignore", stdout, "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => (said += text));
  const ended = new Promise((resolve) => {
    child.on("error", ({ message }) => resolve({ status: 1, said: message }));
    child.on("close", (status) => resolve({ status, said }));
  });
  return { child, ended };
}

/** Asks the registry for a package. @returns the code of the error, or undefined if it answers */
async function errorOfRegistry(root) {
  const { said } = await npm(root, "ignore", [
    ...["view", "jiti", "name", "--fetch-retries=0", `--fetch-timeout=${ANSWER_MS}`],
  ]).ended;
  return codeOf(said);
}

/**
 * Installs the packages. It prints how much that is and, on a terminal, how far it has come.
 * @returns why it failed and what to do, or undefined
 */
export async function installPackages(root) {
  const folders = foldersOf(root);
  console.log(
    `Installing the ${folders.length} Node packages of package-lock.json (first run, or the lock file has changed): ` +
      `about ${DOWNLOAD_MB} MB to download, about ${DISK_MB} MB on disk.`,
  );
  const since = Date.now();
  // npm also removes what was installed before.
  const isNew = (folder) => statSync(join(root, folder, "package.json"), { throwIfNoEntry: false })?.ctimeMs >= since;
  const countNew = () => folders.filter(isNew).length;
  const { child, ended } = npm(root, "inherit", [
    ...["ci", "--no-audit", "--no-fund", "--no-progress"],
    // By default, npm tries again after ten seconds and after a minute.
    ...["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=10000"],
  ]);

  const isTerminal = process.stdout.isTTY;
  const progress = setInterval(() => {
    const seconds = Math.round((Date.now() - since) / 1000);
    if (isTerminal) process.stdout.write(`\r\x1b[K  ${countNew()} of ${folders.length} packages, ${seconds} s`);
  }, 500);
  // npm waits for minutes for a registry that does not answer.
  let unreachable;
  const question = setTimeout(async () => {
    if (countNew() > 0) return;
    unreachable = await errorOfRegistry(root);
    // What is in the cache of npm needs no registry. Nothing gentler ends npm while it installs.
    if (unreachable !== undefined && countNew() === 0) child.kill("SIGKILL");
  }, PATIENCE_MS);
  const { status, said } = await ended;
  clearInterval(progress);
  clearTimeout(question);
  if (isTerminal) process.stdout.write("\r\x1b[K");

  process.stderr.write(said);
  if (status === 0) return undefined;
  const { stdout } = spawnSync("npm", ["config", "get", "registry"], { cwd: root, encoding: "utf8" });
  const reason = explain(unreachable ?? codeOf(said) ?? "", stdout?.trim()) ?? "npm ci failed, see above.";
  return `${reason}\nThen run the command again.`;
}
