import { billSourceWords, billTypeWords, wordsIn } from "../../../../functions/_shared/files/bill_words.ts";

/** The bill of a member. */
export const bill = {
  title: "Bill",
  archivedUntil: "Rows before {{day}} are archived. The store can show them on request.",
  filter: "Type",
  filters: { all: "All", brokerage: "Commission", frozen_points_brokerage: "Points", frozen_points_release: "Release", brokerage_reversal: "Commission reversed", frozen_points_reversal: "Points reversed", opening_balance: "Opening balance", withdrawal: "Withdrawals", withdrawal_returned: "Withdrawals returned", points_spent: "Points spent", points_returned: "Points returned", adjustment: "Adjustments" },
  type: wordsIn("en", billTypeWords),
  source: wordsIn("en", billSourceWords),
  order: "Order {{id}}",
  available: "available",
  frozen: "frozen",
  empty: "Nothing here yet. Share your poster to earn.",
  share: "Share",
  statement: {
    title: "Statement", month: "Month", opening: "At the beginning", sums: "In this month", closing: "At the end", commission: "Commission", frozenPoints: "Frozen points",
    availablePoints: "Available points", rows: "Rows", rowCount_one: "{{count}} row", rowCount_other: "{{count}} rows", download: "Download as CSV", empty: "Nothing was booked in this month.",
  },
};
