import { defineConfig } from "vite";

import { writesFingerprint } from "./sources.ts";

// a relative base lets the page work under any path
export default defineConfig({
  base: "./",
  plugins: [writesFingerprint(import.meta.dirname)],
  build: { target: "es2022", outDir: "dist", emptyOutDir: true },
  server: {
    fs: { allow: [".."] },
    proxy: { "/v1": { target: "http://127.0.0.1:8000", ws: true } },
  },
});
