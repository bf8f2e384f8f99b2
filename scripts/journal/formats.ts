import type { Entry, Posting } from "./entry.ts";

/** How a program of bookkeeping reads a journal. */
export interface Format {
  /** The ending of its files. */
  extension: string;
  header: string;
  /** The name of an account in the program. */
  account: (name: string) => string;
  /** The first line of an entry. */
  title: (day: string, note: string) => string;
  /** That an account has a balance at the beginning of a day. */
  assertion: (day: string, posting: Posting, name: string) => string;
  /** The command that checks a file. */
  check: (file: string) => string[];
}

/** hledger and Ledger read the same. An assertion is part of a posting of nothing. */
const plain = (check: Format["check"], extension: string): Format => ({
  extension,
  header: "; The journal of a store in double entry. PTS are points.\n",
  account: (name) => name,
  title: (day, note) => `${day} ${note}`,
  assertion: (day, { amount, currency }, name) =>
    `${day} balance\n  ${name}  0 ${currency} = ${amount} ${currency}\n\n`,
  check,
});

const capital = (name: string) =>
  name
    .split(":")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(":");

export const formats: Record<"hledger" | "ledger" | "beancount", Format> = {
  hledger: plain((file) => ["hledger", "-f", file, "check"], "journal"),
  ledger: plain((file) => ["ledger", "-f", file, "balance", "--no-total"], "ledger"),
  beancount: {
    extension: "beancount",
    // By default, half of the last decimal is tolerated.
    header: 'option "inferred_tolerance_default" "*:0"\nplugin "beancount.plugins.auto_accounts"\n\n',
    account: capital,
    title: (day, note) => `${day} * "${note}"`,
    assertion: (day, { amount, currency }, name) => `${day} balance ${name}  ${amount} ~ 0 ${currency}\n`,
    check: (file) => ["bean-check", file],
  },
};

/** An entry with its postings, those of nothing left out. */
export function entryText(
  { title }: Format,
  { id, time, type, order_id: order, postings }: Entry,
  nameOf: (posting: Posting) => string,
): string {
  const note = `${type} ${id}${order === null ? "" : ` order ${order}`}`;
  const lines = postings.flatMap((posting) =>
    posting.amount === "0" ? [] : [`  ${nameOf(posting)}  ${posting.amount} ${posting.currency}\n`],
  );
  return `${title(time.slice(0, 10), note)}\n${lines.join("")}\n`;
}
