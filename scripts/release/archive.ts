import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { zipSync } from "fflate";

/**
 * The time of every file of an archive: the first that the format has. It stores local times, so the same bytes need
 * the same local time.
 */
const mtime = new Date(1980, 0, 1);

/** A file of an archive: its path there, and its content. */
export type ArchivedFile = [path: string, content: Uint8Array];

/** All files below a folder, with their paths from there. */
export function filesOf(folder: string): ArchivedFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => [relative(folder, file), readFileSync(file)]);
}

/** A ZIP archive that has the same bytes whenever and in whatever order the files were written. */
export function archiveOf(files: ArchivedFile[]): Uint8Array {
  const sorted = files.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return zipSync(Object.fromEntries(sorted), { level: 9, mtime });
}
