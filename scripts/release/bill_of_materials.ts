import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { lastLines, runCommand } from "../ground/run_command.ts";
import type { Commit } from "./repository.ts";

/** The part of a document of CycloneDX that npm writes anew each time, or takes from the name of the folder. */
interface BillOfMaterials {
  serialNumber?: string;
  metadata: { timestamp: string; component: { name: string; purl: string } };
}

/**
 * All packages of package-lock.json with licence and hash, in CycloneDX by npm. The same commit gives the same text.
 */
export async function billOfMaterials({ time }: Commit): Promise<string> {
  // Some packages name older versions of React as theirs. npm installs them, but describes only what they ask for,
  // unless it leaves that aside.
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--legacy-peer-deps"];
  const { code, stdout, output } = await runCommand("npm", args, { cwd: projectRoot });
  if (code !== 0)
    throw new Problem(`npm did not describe the packages:\n${lastLines(output)}`, "Fix what it says and try again.");
  const document = JSON.parse(stdout) as BillOfMaterials;
  delete document.serialNumber;
  document.metadata.timestamp = time;
  const { component } = document.metadata;
  component.name = component.purl.replace(/^pkg:npm\/|@[^@]*$/g, "");
  return `${JSON.stringify(document, null, 2)}\n`;
}
