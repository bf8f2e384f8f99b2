import type { Entry, Posting } from "./entry.ts";

/** How a program of bookkeeping reads a journal. */
export interface Format {
  /** The ending of its files. */
  extension: string;
  header: string;
  /** The name of an account, from the parts of the plan. */
  account: (name: string) => string;
  entry: (entry: Entry, nameOf: (posting: Posting) => string) => string;
  /** That an account has a balance at the beginning of a day. */
  assertion: (day: string, posting: Posting, name: string) => string;
  /** The command that checks a file. */
  check: (file: string) => string;
}

const noteOf = ({ id, type, order_id: order }: Entry) => `${type} ${id}${order === null ? "" : ` order ${order}`}`;
const amountOf = ({ amount, currency }: Posting) => `${amount} ${currency}`;
const dayOf = ({ time }: Entry) => time.slice(0, 10);
const isSomething = ({ amount }: Posting) => amount !== "0";

/** hledger and Ledger read the same. An assertion is part of a posting of nothing. */
const plain = (check: Format["check"], extension: string): Format => ({
  extension,
  header: "; The journal of a store in double entry. PTS are points.\n",
  account: (name) => name,
  entry: (entry, nameOf) =>
    `${dayOf(entry)} ${noteOf(entry)}\n${entry.postings
      .filter(isSomething)
      .map((posting) => `  ${nameOf(posting)}  ${amountOf(posting)}\n`)
      .join("")}\n`,
  assertion: (day, posting, name) => `${day} balance\n  ${name}  0 ${posting.currency} = ${amountOf(posting)}\n\n`,
  check,
});

const capital = (name: string) =>
  name
    .split(":")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(":");

export const formats: Record<"hledger" | "ledger" | "beancount", Format> = {
  hledger: plain((file) => `hledger -f ${file} check`, "journal"),
  ledger: plain((file) => `ledger -f ${file} balance --no-total`, "ledger"),
  beancount: {
    extension: "beancount",
    // Without a tolerance, half of the last decimal would pass.
    header: 'option "inferred_tolerance_default" "*:0"\nplugin "beancount.plugins.auto_accounts"\n\n',
    account: capital,
    entry: (entry, nameOf) =>
      `${dayOf(entry)} * "${noteOf(entry)}"\n${entry.postings
        .filter(isSomething)
        .map((posting) => `  ${nameOf(posting)}  ${amountOf(posting)}\n`)
        .join("")}\n`,
    assertion: (day, { amount, currency }, name) => `${day} balance ${name}  ${amount} ~ 0 ${currency}\n`,
    check: (file) => `bean-check ${file}`,
  },
};
