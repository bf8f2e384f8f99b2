import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import type { Plugin } from "vite";

/** The size of each icon in pixels. iOS looks for the first; installed apps have the others. */
const icons = { "apple-touch-icon.png": 180, "icon-192.png": 192, "icon-512.png": 512 };

const revisionOf = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex").slice(0, 16);

/** Draws the icon. A square of its colour lies below it, because phones cut icons to their own shape. */
async function drawIcons(root: string): Promise<Record<string, Uint8Array>> {
  const svg = readFileSync(join(root, "public/icon.svg"), "utf8").replace(/rx="8"/, "");
  await initWasm(readFileSync(join(root, "../../node_modules/@resvg/resvg-wasm/index_bg.wasm"))).catch(() => undefined);
  return Object.fromEntries(
    Object.entries(icons).map(([name, width]) => [
      name,
      new Resvg(svg, { fitTo: { mode: "width", value: width } }).render().asPng(),
    ]),
  );
}

/** Adds the icons of an installed app to the build, and to its service worker the list of the files that it keeps. */
export function serviceWorker(root: string): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post",
    config: () => ({
      build: {
        rolldownOptions: {
          input: { index: join(root, "index.html"), service_worker: join(root, "src/service_worker.ts") },
          output: {
            entryFileNames: ({ name }) => (name === "service_worker" ? "service_worker.js" : "assets/[name]-[hash].js"),
          },
        },
      },
    }),
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        for (const [fileName, source] of Object.entries(await drawIcons(root)))
          this.emitFile({ type: "asset", fileName, source });
        const worker = bundle["service_worker.js"];
        if (worker?.type !== "chunk") throw new Error("The build has no service worker.");
        const kept = Object.values(bundle).filter(
          ({ fileName }) => fileName === "index.html" || fileName.startsWith("assets/"),
        );
        const list = [
          // Names of assets contain a hash of their content.
          ...kept.map((file) => ({
            url: file.fileName,
            revision:
              file.fileName === "index.html" ? revisionOf(file.type === "asset" ? file.source : file.code) : null,
          })),
          { url: "icon.svg", revision: revisionOf(readFileSync(join(root, "public/icon.svg"))) },
        ];
        if (!worker.code.includes("self.__WB_MANIFEST"))
          throw new Error("The service worker has no place for the list of its files.");
        worker.code = worker.code.replace("self.__WB_MANIFEST", () => JSON.stringify(list));
      },
    },
  };
}
