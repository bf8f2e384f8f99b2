import fc from "fast-check";
import { expect, it } from "vitest";
import { durationText } from "../../functions/_shared/words/duration.ts";
import { formatMoney, formatNumber, formatShare } from "../../functions/_shared/words/figures.ts";

const currency = { style: "currency", currency: "CNY", currencyDisplay: "narrowSymbol" } as const;
const signed = { signDisplay: "exceptZero" } as const;
const intl = (value: unknown, options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat("zh", options).format(value as number);

/** An amount as the store sends it. */
const amounts = fc
  .tuple(fc.constantFrom("", "-"), fc.integer({ min: 0, max: 999_999_999_999 }), fc.integer({ min: 0, max: 99 }))
  .map(([sign, whole, cents]) => `${whole + cents > 0 ? sign : ""}${whole}.${String(cents).padStart(2, "0")}`);
/** Points, with four decimals at most. */
const points = fc.integer({ min: -(10 ** 13), max: 10 ** 13 }).map((tenThousandths) => tenThousandths / 10 ** 4);

it("amounts are written as Intl writes them, which not every phone has", () => {
  fc.assert(
    fc.property(amounts, points, (amount, number) => {
      expect(formatMoney(amount)).toBe(intl(amount, currency));
      expect(formatMoney(amount, "+")).toBe(intl(amount, { ...currency, ...signed }));
      expect(formatNumber(number)).toBe(intl(number, { maximumFractionDigits: 4 }));
      expect(formatNumber(number, "+")).toBe(intl(number, { maximumFractionDigits: 4, ...signed }));
    }),
  );
});

it("shares and numbers of days are, too", () => {
  const long = { style: "unit", unitDisplay: "long", maximumFractionDigits: 1 } as const;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 ** 6 }),
      fc.integer({ min: 0, max: 10 ** 6 }),
      (hundredThousandths, days) => {
        const share = hundredThousandths / 10 ** 5;
        expect(formatShare(share)).toBe(intl(share, { style: "percent", maximumFractionDigits: 3 }));
        const [unit, count] = days < 365 ? ["day", days] : ["year", days / 365];
        expect(durationText(days, "en")).toBe(new Intl.NumberFormat("en", { ...long, unit }).format(count));
        // Chinese texts of the store have a space before the unit.
        expect(durationText(days, "zh").replace(" ", "")).toBe(
          new Intl.NumberFormat("zh", { ...long, unit }).format(count),
        );
      },
    ),
  );
});
