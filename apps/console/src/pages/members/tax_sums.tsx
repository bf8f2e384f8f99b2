import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { DescriptionList } from "../../components/description_list.tsx";
import { Count, Money } from "../../components/figures.tsx";

/** The amounts that the tax of payouts is computed from, and the tax. */
export const taxAmounts = [
  "income",
  "expenses",
  "basic_deduction",
  "exempt_income",
  "other_deductions",
  "relief",
  "tax",
] as const satisfies (keyof Admin["TaxSums"])[];

/** What was withheld of the payouts to a member in a month or year. */
export function TaxSums({ sums }: { sums: Admin["TaxSums"] }) {
  const { t } = useTranslation("members");
  return (
    <DescriptionList
      items={[
        [t("tax.payouts"), <Count key="payouts" value={sums.payouts} />],
        ...taxAmounts.map((name): [string, React.ReactNode] => [
          t(`tax.${name}`),
          <Money key={name} value={sums[name]} />,
        ]),
      ]}
    />
  );
}
