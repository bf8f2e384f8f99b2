/** The bill of a member. */
export const bill = {
  title: "Bill",
  filter: "Type",
  filters: { all: "All", brokerage: "Commission", frozen_points_brokerage: "Points", frozen_points_release: "Release", brokerage_reversal: "Commission reversed", frozen_points_reversal: "Points reversed", opening_balance: "Opening balance" },
  type: { brokerage: "Commission", brokerage_reversal: "Commission reversed", frozen_points_brokerage: "Points granted", frozen_points_reversal: "Points reversed", frozen_points_release: "Points released", opening_balance: "Opening balance" },
  source: { cycle: "Commission cycle", direct: "Direct points", umbrella: "Umbrella points", release: "Daily release", import: "From the previous system" },
  order: "Order {{id}}",
  available: "available",
  frozen: "frozen",
  empty: "Nothing here yet. Share your poster to earn.",
  share: "Share",
};
