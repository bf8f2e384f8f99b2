import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { git } from "../../scripts/ground/git.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";

/** Copies the files of this project, committed or not, into a folder where a test may change them. */
export async function copySources(folder: string): Promise<void> {
  const { code, stdout, output } = await git(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
  if (code !== 0) throw new Error(output);
  const files = stdout.split("\0").filter((path) => path !== "" && existsSync(join(projectRoot, path)));
  for (const file of files) cpSync(join(projectRoot, file), join(folder, file));
}
