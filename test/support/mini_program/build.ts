import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { projectRoot } from "../../../scripts/ground/paths.ts";

/** A built mini program in a folder of its own. */
export interface BuiltProgram {
  folder: string;
  remove(): void;
}

/** The address that `apps/mini/config.json` has. */
const address = "http://127.0.0.1:54321/functions/v1";

/** Builds the mini program as `npm run mini-program:build` does. @param functionsUrl the functions that it calls */
export async function buildMiniProgram(functionsUrl: string): Promise<BuiltProgram> {
  const folder = mkdtempSync(join(tmpdir(), "mini-program-"));
  await build({
    configFile: join(projectRoot, "apps/mini/vite.config.ts"),
    logLevel: "error",
    build: { outDir: folder },
  });
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".js"),
  )) {
    const code = readFileSync(join(folder, name), "utf8");
    if (code.includes(address)) writeFileSync(join(folder, name), code.replace(address, functionsUrl));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
