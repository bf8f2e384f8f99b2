import { defineConfig } from "vite";
import { staticPage } from "../shared/static_page.ts";

const site = staticPage(import.meta.dirname);

export default defineConfig({
  ...site,
  build: {
    ...site.build,
    // What the console needs at once is one file, because each request takes its time. Otherwise, each set of modules
    // that some pages share would be one.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } } },
  },
});
