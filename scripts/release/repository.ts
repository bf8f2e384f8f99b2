import { git } from "../ground/git.ts";
import { Problem } from "../ground/problem.ts";
import { lastLines } from "../ground/run_command.ts";

/** The commit of a release. */
export interface Commit {
  id: string;
  /** When it was made, in UTC. */
  time: string;
}

/** The commit of the working tree. @throws Problem if the tree has anything else */
export async function cleanCommit(): Promise<Commit> {
  const { code, stdout, output } = await git(["show", "--no-patch", "--format=%H %ct", "HEAD"]);
  if (code !== 0)
    throw new Problem(
      `A release is made of a commit, and this folder has none:\n${lastLines(output, 3)}`,
      "Clone the repository with git.",
    );
  const changes = (await git(["status", "--porcelain"])).stdout;
  if (changes !== "")
    throw new Problem(
      `The working tree is not the last commit:\n${changes.split("\n").slice(0, 15).join("\n").trimEnd()}`,
      "Commit the changes, or clone the repository into an empty folder and run the command there.",
    );
  const [id = "", seconds] = stdout.trim().split(" ");
  return { id, time: new Date(Number(seconds) * 1000).toISOString() };
}

/** Whether the tag is at this commit; false if there is none. @throws Problem if it is at another commit */
export async function isTagged(tag: string, { id }: Commit): Promise<boolean> {
  const { code, stdout } = await git(["rev-parse", "--verify", "--quiet", `refs/tags/${tag}^{commit}`]);
  if (code !== 0) return false;
  if (stdout.trim() === id) return true;
  throw new Problem(
    `The tag ${tag} is at the commit ${stdout.slice(0, 12)}, not at ${id.slice(0, 12)}.`,
    "A version that is released is not changed: give package.json and CHANGELOG.md the next one.",
  );
}

/** Creates an annotated tag. @throws Problem with what git says */
export async function createTag(tag: string, { id }: Commit, message: string): Promise<void> {
  const { code, output } = await git(["tag", "--annotate", "--cleanup=whitespace", "--message", message, tag, id]);
  if (code !== 0)
    throw new Problem(`git did not create the tag ${tag}:\n${lastLines(output, 5)}`, "Fix what it says and try again.");
}
