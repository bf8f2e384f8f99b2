import { renameSync, writeFileSync } from "node:fs";

/**
 * Writes a file that is complete before it takes its name: an interruption leaves the former one as it was.
 * @param mode who may read it
 */
export function replaceFile(file: string, text: string, mode?: number): void {
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, text, { ...(mode !== undefined && { mode }) });
  renameSync(unfinished, file);
}
