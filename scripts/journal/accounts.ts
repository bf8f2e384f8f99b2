import type { journalAccounts } from "../../functions/_shared/resources/finance.ts";
import { Problem } from "../ground/problem.ts";

type Account = (typeof journalAccounts)[number];

/** The names of the accounts. An owner can choose others. */
const plan: Record<Account, string> = {
  commission_expense: "expenses:commission",
  promotion_expense: "expenses:promotion",
  commission_payable: "liabilities:commission",
  points_frozen: "liabilities:points:frozen",
  points_available: "liabilities:points:available",
  payouts_in_transit: "liabilities:payouts-in-transit",
  bank: "assets:bank",
  withdrawal_fees: "income:withdrawal-fees",
  withheld_tax: "liabilities:withheld-tax",
  redeemed_points: "income:redeemed-points",
  adjustments_commission: "equity:adjustments:commission",
  adjustments_frozen: "equity:adjustments:frozen",
  adjustments_available: "equity:adjustments:available",
  opening_balances_commission: "equity:opening-balances:commission",
  opening_balances_frozen: "equity:opening-balances:frozen",
  opening_balances_available: "equity:opening-balances:available",
  brought_forward_commission: "equity:brought-forward:commission",
  brought_forward_frozen: "equity:brought-forward:frozen",
  brought_forward_available: "equity:brought-forward:available",
};

/** @param renamed names by accounts @throws Problem for an unknown account, or a name that a program would refuse */
export function accountPlan(renamed: Record<string, unknown> = {}): Record<string, string> {
  for (const [account, name] of Object.entries(renamed)) {
    if (!(account in plan))
      throw new Problem(`There is no account ${account}.`, `The accounts are: ${Object.keys(plan).join(", ")}.`);
    if (
      typeof name !== "string" ||
      !/^(assets|liabilities|equity|income|expenses)(:[a-z0-9][A-Za-z0-9-]*)+$/.test(name)
    )
      throw new Problem(
        `${JSON.stringify(name)} is no name for the account ${account}.`,
        "A name is like liabilities:points:frozen: one of the five kinds of accounts, then words of letters, digits and hyphens.",
      );
  }
  return { ...plan, ...(renamed as Record<string, string>) };
}
