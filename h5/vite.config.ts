import { defineConfig } from "vite";
import { staticPage } from "../web/static_page.ts";
import { serviceWorker } from "./service_worker_plugin.ts";

const { build, plugins, ...site } = staticPage(import.meta.dirname);

export default defineConfig({
  ...site,
  plugins: [plugins, serviceWorker(import.meta.dirname)],
  // One style sheet for all pages. Vite asks for that of a page only once: a page that is opened again after a lost connection would stay without.
  build: { ...build, cssCodeSplit: false },
});
