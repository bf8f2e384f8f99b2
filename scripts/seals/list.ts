import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { Seal } from "../../functions/_shared/secrets/seals.ts";
import { Problem } from "../ground/problem.ts";

const bytes = (count: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * count}}$`));

/** The values of a published line. */
export const seal = z.strictObject({
  month: z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/),
  rows: z.int().min(0),
  root: bytes(32),
  previous: bytes(32).nullable(),
  key: bytes(32),
  signature: bytes(64),
  former_signature: bytes(64).nullable(),
});

/** The published line of a seal. */
export const lineOf = ({ month, rows, root, previous, key, signature, former_signature }: Seal): string =>
  JSON.stringify({ month, rows, root, previous, key, signature, former_signature });

/** The seals of a list, JSON lines. @throws Problem that names the line that is none */
export function readList(text: string): Seal[] {
  return text
    .split("\n")
    .filter((content) => content.trim() !== "")
    .map((content, at) => {
      try {
        return seal.parse(JSON.parse(content));
      } catch {
        throw new Problem(`Line ${at + 1} of the list is not a seal.`, "Use the list that npm run seal has written.");
      }
    });
}

/** The seals of a file; none if it does not exist and need not. */
export function readListFile(path: string, mustExist: boolean): Seal[] {
  if (!mustExist && !existsSync(path)) return [];
  try {
    return readList(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(`${path} cannot be read: ${(error as Error).message}`, "Name the file with the list of seals.");
  }
}
