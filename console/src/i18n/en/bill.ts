/** The bill of all members. */
export const bill = {
  title: "Bill",
  about:
    "Every change of a balance of every member, newest first. To find an amount, choose at most 31 days; for points with the daily releases, one day.",
  titleOf: "Bill row {{id}}",
  number: "Number",
  days: "Booked",
  minAmount: "Smallest change",
  maxAmount: "Largest change",
  amountHint: "0.01",
  balance: "Change of",
  balances: { brokerage: "Commission", frozen_points: "Frozen points", available_points: "Available points" },
  source: "Source",
  memberLevel: "Current level",
  earned: "Earned with orders",
  withdrawal: "Withdrawal",
  computed: "Calculation",
  reverses: "Reverses row",
  reversedBy: "Reversed by row",
  invalidPoints: "Enter a number of points with at most four decimals, such as 12.5.",
  searchedFrom: "Rows since {{time}} were searched. Choose days to search earlier ones.",
  empty: "No bill rows found. Try other days or filters.",
};
