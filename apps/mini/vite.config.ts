import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { noticesOfBuild } from "../../scripts/generate/third_party_notices.ts";

const source = join(import.meta.dirname, "src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/"));
const { pages } = JSON.parse(readFileSync(join(source, "app.json"), "utf8")) as { pages: string[] };

/** Copies what WeChat reads as it is: structure, style, configuration and pictures. */
const copies: Plugin = {
  name: "mini-program-files",
  generateBundle() {
    for (const fileName of files.filter((file) => /\.(wxml|wxss|json|png)$/.test(file)))
      this.emitFile({ type: "asset", fileName, source: readFileSync(join(source, fileName)) });
  },
};

// Every page is a CommonJS file, as WeChat loads it. What pages share is in files of their own.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [copies, noticesOfBuild()],
  build: {
    target: "es2020",
    outDir: join(import.meta.dirname, "dist"),
    emptyOutDir: true,
    minify: false,
    lib: {
      entry: Object.fromEntries(["app", ...pages].map((name) => [name, join(source, `${name}.ts`)])),
      formats: ["cjs"],
    },
    rolldownOptions: {
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "shared/[name].js",
        // The address of the store is a file of its own: whoever has only the build sets it there.
        codeSplitting: { groups: [{ name: "config", test: /mini\/config\.json$/ }] },
      },
    },
  },
});
