import { isSignedBy, type Seal } from "../../functions/_shared/secrets/seals.ts";

/** The month after one. */
export function monthAfter(month: string): string {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

/**
 * What is wrong with a list of seals, in sentences. The list is complete from its first month, each line names the root
 * before, and each is signed: the first by a key that the reader trusts, the others by the same key, one that it
 * vouches for, or another that the reader trusts.
 * @param trusted the public keys that the reader trusts; none: the first key of the list is taken as it is
 */
export async function findingsOfList(seals: Seal[], trusted: string[]): Promise<string[]> {
  const findings: string[] = [];
  if (seals.length === 0) findings.push("The list has no seal.");
  for (const [at, seal] of seals.entries()) {
    const { month, previous, key, signature, former_signature } = seal;
    const before = seals[at - 1];
    if (!(await isSignedBy(key, signature, seal)))
      findings.push(`${month}: the signature is not that of the key ${key}.`);
    if (before === undefined) {
      if (previous !== null) findings.push(`${month}: it is the first of the list, but names a month before it.`);
      if (trusted.length > 0 && !trusted.includes(key))
        findings.push(`${month}: it is signed with the key ${key}, which you do not trust.`);
      continue;
    }
    if (month !== monthAfter(before.month))
      findings.push(`${month}: it stands after ${before.month}, which is not the month before.`);
    if (previous !== before.root)
      findings.push(`${month}: it does not name the root of the line before, ${before.month}.`);
    if (key !== before.key && !trusted.includes(key)) {
      const vouched = former_signature !== null && (await isSignedBy(before.key, former_signature, seal));
      if (!vouched)
        findings.push(`${month}: it is signed with the key ${key}, for which the key before does not vouch.`);
    }
  }
  return findings;
}

/** What is different between a list and the seals in the store, in sentences. */
export function differencesOf(list: Seal[], stored: Seal[], lineOf: (seal: Seal) => string): string[] {
  const inList = new Map(list.map((seal) => [seal.month, lineOf(seal)]));
  const inStore = new Map(stored.map((seal) => [seal.month, lineOf(seal)]));
  return [...new Set([...inList.keys(), ...inStore.keys()])].sort().flatMap((month) => {
    if (!inList.has(month)) return `${month}: the store has its seal, the list has not.`;
    if (!inStore.has(month)) return `${month}: the list has its seal, the store has not.`;
    return inList.get(month) === inStore.get(month) ? [] : `${month}: the seal in the list is not that in the store.`;
  });
}
