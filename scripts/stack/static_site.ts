import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { build } from "esbuild";
import { Hono } from "hono";
import { localPolicy } from "../../apps/shared/content_security_policy.ts";
import { sharePagesFolder } from "../generate/share_pages.ts";
import { licenceTexts } from "../generate/third_party_notices.ts";
import { projectRoot, siteBuilds } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import type { ShowDetail } from "../ground/progress.ts";
import { lastLines, runCommand } from "../ground/run_command.ts";

/** A site of static files that is built from a folder of this project. */
export interface StaticSite {
  title: string;
  /** The folder of the sources. */
  source: string;
  /** The path under which the gateway serves the site. */
  path: string;
}

/** The console of the administrators. */
export const consoleSite: StaticSite = { title: "Admin console", source: "apps/console", path: "/console" };

/** The phone app of the members, which share links open. */
export const h5Site: StaticSite = { title: "H5 app", source: "apps/h5", path: "/h5" };

/** The command of Vite. */
export const viteCli = join(projectRoot, "node_modules/vite/bin/vite.js");

/** The files that the build of a site depends on: its own, and what they import from the rest of the project. */
export async function sourcesOf({ source }: Pick<StaticSite, "source">): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [`${source}/src/main.tsx`, `${source}/vite.config.ts`],
    outdir: ".local",
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "esnext",
    packages: "external",
    loader: { ".css": "empty", ".svg": "empty", ".png": "empty" },
    logLevel: "silent",
  });
  const own = [join(projectRoot, source, "src"), join(projectRoot, source, "public"), licenceTexts]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  // A style sheet that is imported as a text is named with `?raw`.
  const inputs = Object.keys(metafile.inputs).map((name) => name.replace(/\?.*/, ""));
  const imported = ["package-lock.json", `${source}/index.html`, ...inputs].map((name) => join(projectRoot, name));
  return [...new Set([...own, ...imported])].sort();
}

async function fingerprintOf(site: StaticSite): Promise<string> {
  const hash = createHash("sha256");
  for (const file of await sourcesOf(site)) hash.update(file.slice(projectRoot.length)).update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

const buildOf = async (site: StaticSite) => join(siteBuilds(site.source), await fingerprintOf(site));

/** The folder of the build of the present sources; undefined if there is none. */
export async function builtSite(site: StaticSite): Promise<string | undefined> {
  const folder = await buildOf(site);
  return existsSync(folder) ? folder : undefined;
}

/** Builds a folder of this project by Vite. @param source the folder that has `vite.config.ts` */
export async function viteBuild(source: string, outDir: string, show: ShowDetail): Promise<void> {
  const { code, output } = await runCommand(
    process.execPath,
    [viteCli, "build", join(projectRoot, source), "--outDir", outDir, "--emptyOutDir"],
    {
      cwd: projectRoot,
      env: { NODE_ENV: "production", NO_COLOR: "1" },
      onLine: show,
    },
  );
  if (code !== 0)
    throw new Problem(
      `What is in ${source}/ could not be built:\n${lastLines(output)}`,
      "Fix the reported error and start again.",
    );
}

/** Builds a site into static files, unless a build of the same sources exists. @returns the folder of the build */
export async function buildSite(site: StaticSite, show: ShowDetail): Promise<string> {
  const folder = await buildOf(site);
  if (existsSync(folder)) return folder;
  // Built in a temporary folder and renamed when complete, because another run may build the same sources.
  const unfinished = `${folder}.${process.pid}`;
  await viteBuild(site.source, unfinished, show);
  mkdirSync(siteBuilds(site.source), { recursive: true });
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
  return folder;
}

/**
 * Serves a built site like a static host, with the configuration of this stack.
 * @param pages the folder of the pages of share links beside it
 */
export function serveSite(
  { path: sitePath }: StaticSite,
  folder: string,
  publishableKey: string,
  pages?: string,
): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("content-security-policy", localPolicy);
    context.header("x-content-type-options", "nosniff");
    // Names of assets contain a hash of their content. Other files are revalidated.
    context.header(
      "cache-control",
      context.req.path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    );
  });
  // Relative to the page, so that it works under every address of the gateway.
  const config = {
    supabase_url: "/",
    publishable_key: publishableKey,
    payment_provider: "local",
    phone_sign_in: true,
    share_pages: pages !== undefined,
  };
  app.get("/config.json", (context) => context.json(config));
  const rewriteRequestPath = (path: string) => path.slice(sitePath.length);
  if (pages !== undefined) app.get(`/${sharePagesFolder}/*`, serveStatic({ root: pages, rewriteRequestPath }));
  app.get("/*", serveStatic({ root: folder, rewriteRequestPath }));
  return app;
}
