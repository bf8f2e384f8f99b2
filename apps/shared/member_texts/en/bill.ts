import { billTypeWords } from "../../../../functions/_shared/words/bill_type_words.ts";
import { billSourceWords, wordsIn } from "../../../../functions/_shared/words/words.ts";

/** The bill of a member. */
export const bill = {
  title: "Bill",
  filter: "Type",
  filters: {
    ...wordsIn("en", billTypeWords),
    all: "All",
    frozen_points_brokerage: "Points",
    frozen_points_release: "Release",
    withdrawal: "Withdrawals",
    withdrawal_returned: "Withdrawals returned",
    adjustment: "Adjustments",
  },
  type: wordsIn("en", billTypeWords),
  source: wordsIn("en", billSourceWords),
  order: "Order {{id}}",
  dueAfterRefund: "due after the refund: {{due}}",
  available: "available",
  frozen: "frozen",
  empty: "Nothing here yet. Share your poster to earn.",
  share: "Share",
  statement: {
    title: "Statement",
    month: "Month",
    opening: "At the beginning",
    sums: "In this month",
    closing: "At the end",
    commission: "Commission",
    frozenPoints: "Frozen points",
    availablePoints: "Available points",
    rows: "Rows",
    rowCount_one: "{{count}} row",
    rowCount_other: "{{count}} rows",
    download: "Download as CSV",
    empty: "Nothing was booked in this month.",
  },
};
