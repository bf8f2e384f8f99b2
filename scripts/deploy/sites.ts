import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { Problem } from "../ground/problem.ts";
import { buildSite, builtSite, consoleSite, h5Site, type StaticSite } from "../stack/static_site.ts";
import type { Platform } from "./platform.ts";
import { replaceFile } from "./replace_file.ts";
import type { Step } from "./step.ts";
import type { Target } from "./target.ts";

/** The variable with what `config.json` of the site has besides the address and the key of the store. */
const variableOf = ({ source }: StaticSite) => `STORE_${basename(source).toUpperCase()}_CONFIG`;

const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

/** The two sites with the configuration of the project, as a static host takes them. */
export function sites({ url, sites: folder }: Target, { publishableKey }: Platform): Step {
  const placeOf = ({ source }: StaticSite) => join(folder, source, "dist");

  /** What the site is told. What else a configuration that is there says remains. */
  function configuration(site: StaticSite): string {
    const variable = variableOf(site);
    try {
      const further = JSON.parse(process.env[variable] ?? read(join(placeOf(site), "config.json")) ?? "{}") as object;
      return `${JSON.stringify({ ...further, supabase_url: url, publishable_key: publishableKey }, null, 2)}\n`;
    } catch {
      throw new Problem(
        `${variable}, or config.json in ${placeOf(site)}, is no JSON.`,
        'Example: {"payment_provider": "wechat"}',
      );
    }
  }

  /**
   * Whether the folder has the build of these sources: `index.html` names the other files by hashes of their contents.
   */
  async function isCurrent(site: StaticSite): Promise<boolean> {
    const build = await builtSite(site);
    const place = placeOf(site);
    return (
      build !== undefined &&
      read(join(place, "index.html")) === read(join(build, "index.html")) &&
      read(join(place, "config.json")) === configuration(site)
    );
  }

  return {
    name: "Sites",
    byHand: ["npm run console:build", "npm run h5:build"],
    async left() {
      const current = await Promise.all([consoleSite, h5Site].map(isCurrent));
      return current.every(Boolean) ? undefined : "build them, with their config.json";
    },
    async run(show) {
      if (publishableKey === undefined)
        throw new Problem(
          "The project has no publishable key for the sites.",
          "Create one (Dashboard, Settings, API Keys).",
        );
      for (const site of [consoleSite, h5Site]) {
        const [config, place] = [configuration(site), placeOf(site)];
        const build = await buildSite(site, show);
        mkdirSync(place, { recursive: true });
        // A configuration that is there is never away, and the page comes last: it says that the rest is there.
        for (const name of readdirSync(place))
          if (name !== "config.json") rmSync(join(place, name), { recursive: true });
        cpSync(build, place, {
          recursive: true,
          filter: (file) => !["config.json", "index.html"].includes(basename(file)),
        });
        replaceFile(join(place, "config.json"), config);
        replaceFile(join(place, "index.html"), readFileSync(join(build, "index.html"), "utf8"));
      }
    },
  };
}
