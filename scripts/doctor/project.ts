import { Problem } from "../ground/problem.ts";

/** The project that the doctor examines. */
export interface Project {
  /** Its reference; undefined if it is not hosted by Supabase, such as the local stack. */
  ref: string | undefined;
  /** Its address, without a trailing slash. */
  url: string;
}

const REF = /^[a-z]{20}$/;
const HOSTED = /^https:\/\/([a-z]{20})\.supabase\.co$/;

/**
 * Reads the option `--project`, a reference or an address.
 * @param address the address of a project that has a domain of its own
 * @throws Problem if either is neither
 */
export function readProject(given: string, address?: string): Project {
  if (REF.test(given))
    return { ref: given, url: address === undefined ? `https://${given}.supabase.co` : readAddress(address) };
  const url = readAddress(given);
  return { ref: HOSTED.exec(url)?.[1], url };
}

function readAddress(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new Problem(
      `${text} is neither the reference of a project (20 letters) nor an address.`,
      "Example: --project abcdefghijklmnopqrst, or --project https://store.example.com",
    );
  return text.replace(/\/+$/, "");
}

/** The project that an address of a database names, at a pooler of Supabase or at the server itself. */
export function projectOf(address: string): string | undefined {
  const { username, hostname } = new URL(address);
  return decodeURIComponent(username).split(".")[1] ?? /^db\.([a-z]{20})\.supabase\.co$/.exec(hostname)?.[1];
}

/** @throws Problem if an address of a database is that of another project */
export function requireProject(name: string, address: string, ref: string, remedy: string): void {
  const project = projectOf(address);
  if (project !== undefined && project !== ref)
    throw new Problem(`${name} names the project ${project}, not ${ref}.`, remedy);
}
