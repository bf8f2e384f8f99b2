/**
 * Reads a journal as hledger does, as far as the store writes it: adds up the postings and compares the balances that
 * it states.
 * @returns the accounts that differ, and the entries that do not add up to nothing
 */
export function differencesOf(text: string): string[] {
  const sums = new Map<string, bigint>();
  const differences: string[] = [];
  let entry = new Map<string, bigint>();
  let title = "";
  const close = () => {
    for (const [currency, sum] of entry) if (sum !== 0n) differences.push(`${title}: ${sum} ${currency} too many`);
    entry = new Map();
  };
  for (const line of text.split("\n")) {
    const [, account, amount, currency, expected] =
      /^ {2}(\S+) {2}(-?[\d.]+) ([A-Z]+)(?: = (-?[\d.]+) [A-Z]+)?$/.exec(line) ?? [];
    if (account === undefined) {
      close();
      title = line;
      continue;
    }
    const key = `${account} ${currency}`;
    entry.set(currency!, (entry.get(currency!) ?? 0n) + exact(amount!));
    sums.set(key, (sums.get(key) ?? 0n) + exact(amount!));
    if (expected !== undefined && sums.get(key) !== exact(expected))
      differences.push(`${key}: ${sums.get(key)} instead of ${exact(expected)}`);
  }
  close();
  return differences;
}

/** In 1/10000. */
function exact(text: string): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(4, "0"));
}
