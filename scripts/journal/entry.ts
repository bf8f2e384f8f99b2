/** Debit above zero, credit below. uid is null for an account that all members share. */
export interface Posting {
  account: string;
  uid: number | null;
  amount: string;
  currency: string;
}

/**
 * An entry of a journal, as the store returns it (app.journal_entry). Of a closing, the postings are balances that must
 * result.
 */
export interface Entry {
  id: string;
  /** In the zone of the store: `2026-11-03 10:00:00+08:00`. */
  time: string;
  type: string;
  uid: number | null;
  order_id: number | null;
  postings: Posting[];
}
