import { chmodSync, copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { lastLines, runCommand } from "../ground/run_command.ts";
import { filesOf } from "./archive.ts";

const client = join(projectRoot, "apps/client");

/** The name and the version of the package of the client. */
export const clientPackage = JSON.parse(readFileSync(join(client, "package.json"), "utf8")) as {
  name: string;
  version: string;
};

/** The file that `npm pack` writes. */
export const clientPackageFile = `${clientPackage.name}-${clientPackage.version}.tgz`;

/** Compiles the client, and puts the licence beside its `package.json`. `npm pack` calls it. */
export async function buildClient(): Promise<void> {
  rmSync(join(client, "dist"), { recursive: true, force: true });
  const compiler = join(projectRoot, "node_modules/typescript7/bin/tsc");
  const { code, output } = await runCommand(process.execPath, [compiler, "-p", join(client, "tsconfig.build.json")]);
  if (code !== 0)
    throw new Problem(
      `The client could not be compiled:\n${lastLines(output)}`,
      "Fix the reported error and try again.",
    );
  copyFileSync(join(projectRoot, "LICENSE"), join(client, "LICENSE"));
}

/**
 * Packs the client by npm, from a copy: npm keeps the permissions of the files, which depend on the user.
 * @returns the content of the package file
 */
export async function packClient(): Promise<Buffer> {
  await buildClient();
  const folder = mkdtempSync(join(tmpdir(), "store-client-"));
  const copy = join(folder, "client");
  try {
    cpSync(client, copy, { recursive: true });
    for (const [path] of filesOf(copy)) chmodSync(join(copy, path), 0o644);
    const { code, output } = await runCommand("npm", ["pack", copy, "--ignore-scripts", "--pack-destination", folder]);
    if (code !== 0)
      throw new Problem(
        `The client could not be packed:\n${lastLines(output)}`,
        "Fix the reported error and try again.",
      );
    return readFileSync(join(folder, clientPackageFile));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
