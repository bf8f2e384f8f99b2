import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configOfBundles } from "../generate/bundles_to_deploy.ts";
import { buildFunctions } from "../generate/function_bundles.ts";
import { migrationsFolder, projectRoot } from "../ground/paths.ts";
import type { ShowDetail } from "../ground/progress.ts";
import { buildSite, consoleSite, h5Site, type StaticSite, viteBuild } from "../stack/static_site.ts";
import { readGuarantees } from "../structure/guarantees.ts";
import { archiveOf, type ArchivedFile, filesOf } from "./archive.ts";
import { billOfMaterials } from "./bill_of_materials.ts";
import type { ReleaseNotes } from "./changelog.ts";
import { clientPackageFile, packClient } from "./client_package.ts";
import type { Commit } from "./repository.ts";

/** A file of a release. */
export interface Artifact {
  title: string;
  file: string;
  make: (show: ShowDetail) => Promise<Uint8Array | string>;
}

/** A folder from which the Supabase CLI deploys the edge functions. */
async function functionsArchive(): Promise<Uint8Array> {
  const bundles = filesOf(await buildFunctions());
  return archiveOf([
    ["supabase/config.toml", Buffer.from(configOfBundles())],
    ...bundles.map(([path, content]): ArchivedFile => [`supabase/functions/${path}`, content]),
  ]);
}

/**
 * The build of a site, without the sample of its configuration: unpacked over a site, it leaves the one that is there.
 */
async function siteArchive(site: StaticSite, show: ShowDetail): Promise<Uint8Array> {
  return archiveOf(filesOf(await buildSite(site, show)).filter(([path]) => path !== "config.json"));
}

/** The mini program, as the developer tools of WeChat open it. */
async function miniProgramArchive(show: ShowDetail): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "store-mini-program-"));
  try {
    await viteBuild("apps/mini", folder, show);
    const program = filesOf(folder).map(([path, content]): ArchivedFile => [`dist/${path}`, content]);
    return archiveOf([
      ["project.config.json", readFileSync(join(projectRoot, "apps/mini/project.config.json"))],
      ...program,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const openapiDocument = (name: string) => readFileSync(join(projectRoot, "functions", name, "openapi.json"), "utf8");

/** What belongs to the release of a version. The same commit gives the same bytes. */
export const artifactsOf = (commit: Commit, notes: ReleaseNotes): Artifact[] => [
  { title: "Edge functions", file: "functions.zip", make: functionsArchive },
  { title: "Console", file: "console.zip", make: (show) => siteArchive(consoleSite, show) },
  { title: "H5 app", file: "h5.zip", make: (show) => siteArchive(h5Site, show) },
  { title: "Mini program", file: "mini.zip", make: miniProgramArchive },
  { title: "Migrations", file: "migrations.zip", make: async () => archiveOf(filesOf(migrationsFolder)) },
  { title: "Client", file: clientPackageFile, make: packClient },
  { title: "OpenAPI document of members", file: "api.openapi.json", make: async () => openapiDocument("api") },
  {
    title: "OpenAPI document of administrators",
    file: "adminapi.openapi.json",
    make: async () => openapiDocument("adminapi"),
  },
  { title: "Guarantees", file: "guarantees.json", make: async () => `${JSON.stringify(readGuarantees(), null, 2)}\n` },
  { title: "Packages", file: "sbom.cdx.json", make: () => billOfMaterials(commit) },
  { title: "Release notes", file: "RELEASE_NOTES.md", make: async () => notes.text },
];

/** A line of SHA256SUMS, as `sha256sum --check` reads it. */
export const checksumLine = (file: string, content: Uint8Array | string) =>
  `${createHash("sha256").update(content).digest("hex")}  ${file}\n`;
