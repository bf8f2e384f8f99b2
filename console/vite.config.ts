import { defineConfig } from "vite";
import { staticPage } from "../web/static_page.ts";

export default defineConfig(staticPage(import.meta.dirname));
