import { join } from "node:path";
import { defineConfig } from "vite";

// Bundles the typed client for the mini program: one CommonJS file without imports.
export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: "es2020",
    outDir: join(import.meta.dirname, "miniprogram/build"),
    emptyOutDir: true,
    minify: false,
    lib: { entry: join(import.meta.dirname, "store.ts"), formats: ["cjs"], fileName: () => "store.js" },
  },
});
