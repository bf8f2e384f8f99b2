import { account } from "./accounts.ts";
import { pointsLeft, type Store } from "./store.ts";
import { isOpen } from "./withdrawals.ts";

/** How much more commission and points a member was given than is accounted for. */
interface Difference {
  member: number;
  commission: bigint;
  points: bigint;
}

/**
 * The members of whom the invariants of docs/money.md do not hold. What was granted is summed from the orders, less
 * reversals.
 */
export function unaccounted(store: Store): Difference[] {
  return store.members
    .map(({ frozen, available, bill }, index) => {
      const member = index + 1;
      const grants = store.orders.flatMap((order) => order.grants.filter((grant) => grant.member === member));
      const openings = bill.filter(({ type }) => type === "opening_balance");
      const adjustments = store.adjustments.filter((each) => each.member === member && each.state === "booked");
      const out = store.withdrawals.filter((each) => each.member === member && (isOpen(each) || each.state === "paid"));
      const granted = (isMoney: boolean) =>
        sum(
          grants.filter(({ kind }) => (kind === "commission") === isMoney),
          ({ remaining }) => remaining,
        );
      const spent = sum(
        store.orders.filter(({ buyer }) => buyer === member),
        pointsLeft,
      );
      const given = [...openings, ...adjustments];
      const { withdrawable, maturing, held } = account(store, member);
      return {
        member,
        commission:
          granted(true) +
          sum(given, ({ brokerage }) => brokerage) -
          withdrawable -
          maturing -
          held -
          sum(out, ({ amount }) => amount),
        points: granted(false) + sum(given, (each) => each.frozen + each.available) - frozen - available - spent,
      };
    })
    .filter(({ commission, points }) => commission !== 0n || points !== 0n);
}

function sum<Item>(items: readonly Item[], amountOf: (item: Item) => bigint): bigint {
  return items.reduce((total, item) => total + amountOf(item), 0n);
}
