import { Button, Group, Select, Stack } from "@mantine/core";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { Clipped } from "../../components/clipped.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { useListState } from "../../components/list_state.ts";
import { useOpened } from "../../components/opened.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { storedText } from "../../components/stored_reason.ts";
import { useKnownArea } from "../../session/own_areas.ts";
import { useAdmin } from "../../store/store.ts";
import { TaxAllowanceForm } from "./tax_allowance_form.tsx";
import { TaxSums, taxAmounts } from "./tax_sums.tsx";

type Tax = Admin["MemberTax"];

const month = columnsOf<Tax["months"][number]>();
const allowance = columnsOf<Tax["allowances"][number]>();

const aYear = /^2\d{3}$/;

/** Whether there is anything to show of the tax of a member: tax is on, or there are rows of it. */
export function useHasTax(uid: number): boolean {
  const isAllowed = useKnownArea("money");
  const { tax_method = "none" } = useAdmin("/adminapi/system/settings", {}, { enabled: isAllowed }).data ?? {};
  const { years = [] } =
    useAdmin("/adminapi/user/{uid}/tax", { params: { path: { uid } } }, { enabled: isAllowed }).data ?? {};
  return isAllowed && (tax_method !== "none" || years.length > 0);
}

function Months({ tax: { year, total, months } }: { tax: Tax }) {
  const { t } = useTranslation("members");
  const columns = [
    month.text("month", t("tax.month")),
    month.count("payouts", t("tax.payouts")),
    ...taxAmounts.map((name) => month.money(name, t(`tax.${name}`))),
  ];
  return (
    <Section title={t("tax.total", { year })} about={t("tax.about")}>
      <Stack>
        {months.length > 0 && <TaxSums sums={total} />}
        <PlainTable
          label={t("tax.months")}
          columns={columns}
          rows={months}
          rowId={(row) => row.month}
          empty={t("tax.empty", { year })}
          exportAs="tax of a member"
        />
      </Stack>
    </Section>
  );
}

function Allowances({ tax: { year, allowances } }: { tax: Tax }) {
  const { t } = useTranslation(["members", "words"]);
  const columns = [
    allowance.time("add_time", t("words:time")),
    allowance.text("month", t("tax.month")),
    allowance.money("exempt_income", t("tax.exempt_income"), { signed: true }),
    allowance.money("other_deductions", t("tax.other_deductions"), { signed: true }),
    allowance.money("relief", t("tax.relief"), { signed: true }),
    allowance.text("reason", t("tax.reason"), {
      cell: ({ reason }) => <Clipped text={storedText(reason)} />,
      csv: ({ reason }) => storedText(reason),
    }),
    allowance.actor("created_by", t("tax.by")),
  ];
  return (
    <Section title={t("tax.allowances", { year })} about={t("tax.aboutAllowances")}>
      <PlainTable
        label={t("tax.allowances", { year })}
        columns={columns}
        rows={allowances}
        rowId={({ id }) => id}
        empty={t("tax.noAllowances", { year })}
        exportAs="recorded for tax"
      />
    </Section>
  );
}

/** The tax of the payouts to a member in a year, and what administrators recorded for it. */
export function MemberTax({ uid }: { uid: number }) {
  const { t } = useTranslation("members");
  const state = useListState();
  const opened = useOpened("allowance");
  const chosen = aYear.test(state.get("year")) ? Number(state.get("year")) : undefined;
  const tax = useAdmin("/adminapi/user/{uid}/tax", {
    params: { path: { uid }, ...(chosen && { query: { year: chosen } }) },
  });
  return (
    <QueryResult of={tax} lines={8}>
      {(shown) => (
        <Stack>
          <Group align="flex-end">
            <Select
              label={t("tax.year")}
              data={[...new Set([shown.year, ...shown.years])].map(String).sort().reverse()}
              value={String(shown.year)}
              onChange={(year) => state.set({ year: year ?? "" })}
              allowDeselect={false}
              w={160}
            />
            <Allowed area="money">
              <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => opened.open("new")}>
                {t("tax.add")}
              </Button>
            </Allowed>
          </Group>
          <Months tax={shown} />
          <Allowances tax={shown} />
          {opened.id && <TaxAllowanceForm uid={uid} year={shown.year} onClose={opened.close} />}
        </Stack>
      )}
    </QueryResult>
  );
}
