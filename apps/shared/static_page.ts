import { readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import type { Plugin, UserConfig } from "vite";
import { noticesOfBuild } from "../../scripts/generate/third_party_notices.ts";
import { headersFile, metaPolicy } from "./content_security_policy.ts";

const stackFile = join(process.env.STORE_LOCAL_DIR ?? join(import.meta.dirname, "../../.local"), "stack.json");

/** For development: the configuration of the local stack that is running, in place of the sample. */
function configOfLocalStack(): Plugin {
  return {
    name: "config-of-local-stack",
    configureServer(server) {
      server.middlewares.use(`${server.config.base.replace(/^\.\//, "/")}config.json`, (_request, response) => {
        const { supabase_url, publishable_key } = JSON.parse(readFileSync(stackFile, "utf8")) as {
          supabase_url: string;
          publishable_key: string;
        };
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ supabase_url, publishable_key, payment_provider: "local" }));
      });
    },
  };
}

/**
 * Puts style sheets between what `index.html` shows by itself and where React draws: a browser paints nothing below a
 * style sheet that has not arrived, and what React adds to it has to come after it.
 */
function stylesBehindTheShell(): Plugin {
  return {
    name: "styles-behind-the-shell",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const sheets = html.match(/^ *<link rel="stylesheet".*>\n/gm) ?? [];
        return sheets
          .reduce((rest, sheet) => rest.replace(sheet, ""), html)
          .replace('    <div id="root">', `${sheets.join("")}    <div id="root">`);
      },
    },
  };
}

/**
 * Ships the content security policy with the build: in the page, ahead of everything it applies to, and as a file of
 * headers.
 */
function contentSecurityPolicy(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: metaPolicy },
        injectTo: "head-prepend",
      },
    ],
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "_headers", source: headersFile });
    },
  };
}

/** How a page of static files is built, for any static host. @param root the folder of its `index.html` */
export function staticPage(root: string): UserConfig {
  return {
    root,
    // Relative addresses and routes behind a `#`: the files work in any folder of any static host, without settings
    // there.
    base: "./",
    plugins: [react(), configOfLocalStack(), stylesBehindTheShell(), contentSecurityPolicy(), noticesOfBuild()],
    build: {
      target: "es2023",
      emptyOutDir: true,
      chunkSizeWarningLimit: 700,
      // One style sheet for all pages. That of a page alone would come before the first one, whose rules would override
      // it, and Vite asks for it only once: a page that is opened again after a lost connection would stay without.
      cssCodeSplit: false,
    },
  };
}
