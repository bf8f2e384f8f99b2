import { join } from "node:path";
import { runAsUser } from "../command_line/supabase_cli.ts";
import { platformAdvice } from "../doctor/platform_findings.ts";
import { requireProject } from "../doctor/project.ts";
import { request } from "../doctor/request.ts";
import { functionNames, sourceHash } from "../generate/function_bundles.ts";
import { SESSION_MODE } from "../doctor/database_findings.ts";
import { poolerMode } from "../ground/open_connection.ts";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { lastLines, runCommand } from "../ground/run_command.ts";
import type { VaultSecrets } from "./database_steps.ts";
import type { Platform } from "./platform.ts";
import type { Step } from "./step.ts";
import { addToStoreEnv, digestOf, newSecret, readStoreEnv, storeEnvFile } from "./store_env.ts";
import { functionsAddress, type Target } from "./target.ts";

/** Every command of this project starts here. */
const bootstrap = join(projectRoot, "scripts/bootstrap.mjs");

/** Runs a command of this project as `npm run` does. */
export function runOurs(
  file: string,
  args: string[],
  env: Record<string, string> = {},
  onLine?: (line: string) => void,
) {
  return runCommand(process.execPath, [bootstrap, `commands/${file}.ts`, ...args], {
    cwd: projectRoot,
    env,
    ...(onLine && { onLine }),
  });
}

/**
 * The secrets of the store that neither store.env nor the platform has. What only the platform has cannot be read
 * again, which is no loss except for the secret of the worker, if Vault does not have it.
 */
function missingSecrets(platform: Platform, vault: VaultSecrets): string[] {
  const file = readStoreEnv();
  const isKept = (name: string) =>
    platform.secrets.has(name) && (name !== "STORE_WORKER_SECRET" || vault.has("store_worker_secret"));
  return ["STORE_DB_URL", "STORE_WORKER_SECRET", "STORE_METRICS_TOKEN"].filter(
    (name) => file[name] === undefined && !isKept(name),
  );
}

/** Makes them. They are in the file before anything has them, so that no interruption loses one. */
export function storeEnv({ ref, databaseUrl }: Target, platform: Platform, vault: VaultSecrets): Step {
  const missing = () => missingSecrets(platform, vault);
  return {
    name: "Secrets in store.env",
    byHand: ["openssl rand -hex 24   # a value for each, in store.env"],
    async left() {
      const { STORE_DB_URL: address } = readStoreEnv();
      // The functions of this project would work on the store of the other one.
      if (address !== undefined && URL.canParse(address))
        requireProject(
          "STORE_DB_URL in store.env",
          address,
          ref,
          "Move the file away, so that this project gets secrets of its own.",
        );
      if (address !== undefined && URL.canParse(address) && poolerMode(address) === "session")
        throw new Problem(`${SESSION_MODE.message}.`, SESSION_MODE.advice);
      return missing().length === 0 ? undefined : `make ${missing().join(", ")}`;
    },
    async run() {
      addToStoreEnv(
        Object.fromEntries(
          missing().map((name) => [
            name,
            name === "STORE_DB_URL" ? functionsAddress(databaseUrl, newSecret()) : newSecret(),
          ]),
        ),
      );
    },
  };
}

export function secrets({ ref }: Target, platform: Platform, vault: VaultSecrets): Step {
  return {
    name: "Secrets of the functions",
    byHand: [`npx supabase secrets set --remote=${ref} --env-file store.env`],
    async left() {
      const differing = Object.entries(readStoreEnv()).flatMap(([name, value]) =>
        platform.secrets.get(name) === digestOf(value!) ? [] : [name],
      );
      const names = [...differing, ...missingSecrets(platform, vault)];
      return names.length === 0 ? undefined : `set ${names.join(", ")}`;
    },
    async run(show) {
      const args = ["secrets", "set", `--remote=${ref}`, "--env-file", storeEnvFile(), "--yes"];
      const { code, output } = await runAsUser(args, projectRoot, show);
      if (code !== 0) throw new Problem(`The secrets were not set:\n${lastLines(output, 3)}`, platformAdvice(output));
    },
  };
}

export function functions({ ref, url }: Target): Step {
  return {
    name: "Functions",
    byHand: [`npm run functions:deploy -- --project ${ref}`],
    async left() {
      const source = sourceHash();
      const replies = await Promise.all(
        functionNames().map(async (name) => ({ name, ...(await request(`${url}/functions/v1/${name}/openapi.json`)) })),
      );
      const other = replies.filter((reply) => reply.source !== source).map(({ name }) => name);
      return other.length === 0 ? undefined : `deploy ${other.join(", ")}`;
    },
    async run(show) {
      const { code, output } = await runOurs("deploy_functions", ["--project", ref], {}, show);
      if (code !== 0)
        throw new Problem(`The functions were not deployed:\n${lastLines(output)}`, platformAdvice(output));
    },
  };
}

export function administrator({ url }: Target, platform: Platform, email: string | undefined, isShown: boolean): Step {
  return {
    name: "First administrator",
    byHand: [`npm run admin -- add ${email ?? "<email>"}`],
    async left() {
      return email === undefined ? undefined : `make ${email} an administrator`;
    },
    async run() {
      const environment = { SUPABASE_URL: url, ...(platform.secretKey && { SUPABASE_SECRET_KEY: platform.secretKey }) };
      const { code, stdout, output } = await runOurs("admin", ["add", email!, "--json"], environment);
      if (code !== 0)
        throw new Problem(
          `There is no administrator yet:\n${lastLines(output, 4)}`,
          "Mend it, and run the deployment again.",
        );
      const { password } = JSON.parse(stdout) as { password: string | null };
      console.log(
        password !== null && isShown
          ? `    The account is new. Its password, which is shown only now: ${password}`
          : '    If nobody knows the password of the account, as of a new one, choose "Forgot your password?" in the console.',
      );
    },
  };
}
