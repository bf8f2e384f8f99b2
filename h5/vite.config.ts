import { defineConfig } from "vite";
import { staticPage } from "../web/static_page.ts";
import { serviceWorker } from "./service_worker_plugin.ts";

const { plugins, ...site } = staticPage(import.meta.dirname);

export default defineConfig({
  ...site,
  plugins: [plugins, serviceWorker(import.meta.dirname)],
});
