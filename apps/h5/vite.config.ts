import { defineConfig } from "vite";
import { staticPage } from "../shared/static_page.ts";
import { serviceWorker } from "./service_worker_plugin.ts";

const { plugins, build, ...site } = staticPage(import.meta.dirname);

/**
 * Preact takes the place of React, for 58 kB less in the first page (decision 0029). Types and lint rules are those of
 * React.
 */
const alias = {
  "react/jsx-runtime": "preact/jsx-runtime",
  "react-dom/client": "preact/compat/client",
  "react-dom": "preact/compat",
  react: "preact/compat",
};

export default defineConfig({
  ...site,
  resolve: { alias },
  build: {
    ...build,
    // What many pages share is one file, instead of one for each module; without what cleans a text, and the texts of
    // later.ts, which no first page shows.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "shared",
              minShareCount: 5,
              test: /^(?!.*(?:rich_text|safe_html|dompurify|member_texts|i18n\/later))/,
            },
            // Small, and shared by fewer pages.
            { name: "visit", test: /use_(?:inviter|add_to_cart)|icons\/plus\./ },
          ],
        },
      },
    },
  },
  plugins: [plugins, serviceWorker(import.meta.dirname)],
});
