import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StackPlace } from "../ground/paths.ts";

/**
 * A new folder for a stack of a test, beside that of the run. If another user runs the server, that user may enter it.
 * Otherwise, the data would be on the disk, where to copy a store takes ten times as long as in memory.
 * @param name the beginning of its name
 */
export function newPlace(name: string): StackPlace {
  const directory = mkdtempSync(join(tmpdir(), name));
  chmodSync(directory, 0o711);
  return new StackPlace(directory);
}
