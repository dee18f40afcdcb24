// What the page is built from, as one number: the build writes it into dist, and a test of the
// project compares it with the sources, so that no old page is shipped.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

const PARTS = [
  "index.html",
  "package.json",
  "package-lock.json",
  "vite.config.ts",
  "src",
  "../clients/typescript/solwaris.ts",
];

/** SHA-256 of the sources: each path, a zero byte, the content, a zero byte, in order of paths. */
export function fingerprint(folder: string): string {
  const hash = createHash("sha256");
  const files = PARTS.flatMap((part) => filesOf(join(folder, part)));
  const paths = files.map((file) => relative(folder, file).replaceAll("\\", "/")).sort();
  for (const path of paths) {
    hash.update(`${path}\0`).update(readFileSync(join(folder, path))).update("\0");
  }
  return hash.digest("hex");
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesOf(join(path, name)));
}

/** A plugin of the build that writes the fingerprint beside the page. */
export function writesFingerprint(folder: string) {
  return {
    name: "fingerprint",
    generateBundle(this: { emitFile(file: EmittedText): string }): void {
      const source = `${fingerprint(folder)}\n`;
      this.emitFile({ type: "asset", fileName: "sources.txt", source });
    },
  };
}

interface EmittedText {
  type: "asset";
  fileName: string;
  source: string;
}
