// The words for the types and sources of bill rows, for the CSV files, the console and the H5 app.

/** A word in both languages, by code. */
export type Words<Code extends string> = Record<Code, { en: string; zh: string }>;

export const billTypeWords = {
  brokerage: { en: "Commission", zh: "佣金" },
  brokerage_reversal: { en: "Commission reversed", zh: "佣金冲回" },
  frozen_points_brokerage: { en: "Points granted", zh: "积分发放" },
  frozen_points_reversal: { en: "Points reversed", zh: "积分冲回" },
  frozen_points_release: { en: "Points released", zh: "积分释放" },
  opening_balance: { en: "Opening balance", zh: "期初余额" },
  withdrawal: { en: "Withdrawal", zh: "提现" },
  withdrawal_returned: { en: "Withdrawal returned", zh: "提现退回" },
  points_spent: { en: "Points spent", zh: "积分抵扣" },
  points_returned: { en: "Points returned", zh: "抵扣退回" },
  adjustment: { en: "Adjustment", zh: "调账" },
};

export const billSourceWords = {
  cycle: { en: "Commission cycle", zh: "佣金周期" },
  direct: { en: "Direct points", zh: "直推积分" },
  umbrella: { en: "Umbrella points", zh: "级差积分" },
  release: { en: "Daily release", zh: "每日释放" },
  import: { en: "From the previous system", zh: "由原系统转入" },
  withdrawal: { en: "Withdrawal", zh: "提现" },
  checkout: { en: "Checkout", zh: "下单抵扣" },
  adjustment: { en: "Made by the store", zh: "商城调账" },
};

/** The words of one language. */
export function wordsIn<Code extends string>(language: "en" | "zh", words: Words<Code>): Record<Code, string> {
  return Object.fromEntries(Object.entries<Words<Code>[Code]>(words).map(([code, word]) => [code, word[language]])) as Record<Code, string>;
}
