import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { TextLink } from "../../components/links.tsx";
import { ChartSection } from "../../components/chart_section.tsx";
import { DownloadButton, fileFormats } from "../../components/download_button.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { Currency, formatCurrency, Points } from "../../components/figures.tsx";
import { namePoints } from "../../components/name_points.ts";
import { DayFilter, FilterBar } from "../../components/filter_bar.tsx";
import { useListState } from "../../components/list_state.ts";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { StackedBar } from "../../components/stacked_bar.tsx";
import { useStoreDays } from "../../components/store_day.ts";
import { useFormatTime } from "../../components/time.tsx";
import { formatDuration } from "../../../../shared/duration.ts";
import { useAdmin, useStore } from "../../store/store.ts";

type Liabilities = Admin["Liabilities"];

const millisecondsOfADay = 86_400_000;
const paths = { csv: "/adminapi/export/liabilities", xlsx: "/adminapi/export/liabilities/xlsx" } as const;

function Owed({
  of: {
    as_of,
    owed,
    withdrawable,
    held_by_refunds,
    maturing,
    reserved,
    left,
    debts_covered,
    debts_uncovered,
    members_in_debt,
    tax,
  },
  query,
  day,
}: {
  of: Liabilities;
  query: { as_of?: string };
  day: string;
}) {
  const { t } = useTranslation("finance");
  const format = useFormatTime();
  const { admin } = useStore();
  const part = (name: "withdrawable" | "held" | "maturing" | "reserved" | "left", amount: string) => ({
    name: t(`owed.${name}`),
    figure: <Currency value={amount} />,
    share: Number(amount),
  });
  return (
    <Section title={t("owed.title")} about={t("owed.about", { time: format(as_of) })}>
      <Stack gap="sm">
        <StackedBar
          name={t("owed.all")}
          figure={<Currency value={owed} />}
          parts={[
            part("withdrawable", withdrawable),
            part("held", held_by_refunds),
            // Debts are covered by what is maturing.
            { ...part("maturing", maturing), share: Number(maturing) - Number(debts_covered) },
            { name: t("owed.covered"), figure: <Currency value={debts_covered} />, isSubtracted: true },
            part("reserved", reserved),
            part("left", left.commission),
          ]}
        />
        <DescriptionList
          items={[
            [t("owed.uncovered"), <Currency key="uncovered" value={debts_uncovered} />],
            [t("owed.tax", { month: tax.month }), <Currency key="tax" value={tax.withheld} />],
            [t("owed.taxBefore"), <Currency key="tax before" value={tax.withheld_last_month} />],
          ]}
        />
        {left.members > 0 && <Text size="sm">{t("owed.leftMembers", { count: left.members })}</Text>}
        {members_in_debt > 0 && (
          <Text size="sm">
            {t("owed.debtors", { count: members_in_debt })} <TextLink to="/debts">{t("owed.show")}</TextLink>
          </Text>
        )}
        <Group>
          {fileFormats.map((format) => (
            <DownloadButton
              key={format}
              label={t(`owed.download.${format}`)}
              name={`liabilities${day && `_${day}`}.${format}`}
              request={(signal) => admin.GET(paths[format], { params: { query }, parseAs: "stream", signal })}
            />
          ))}
        </Group>
      </Stack>
    </Section>
  );
}

/** Each day from the first to the last one with commission that matures. A day without any has 0. */
function daysOf(matures: Liabilities["matures"]): { day: string; amount: number }[] {
  const amounts = new Map(matures.map(({ date, amount }) => [date, Number(amount)]));
  const [first, last] = [matures[0], matures.at(-1)].map((one) => Date.parse(one?.date ?? ""));
  const days = Math.round((last! - first!) / millisecondsOfADay);
  return Array.from({ length: days + 1 }, (_, index) => {
    const day = new Date(first! + index * millisecondsOfADay).toISOString().slice(0, 10);
    return { day, amount: amounts.get(day) ?? 0 };
  });
}

/** The commission that matures, by day. What waits for the receipt of its order has no day. */
function Maturing({ of: { matures, maturing_after_receipt } }: { of: Liabilities }) {
  const { t } = useTranslation("finance");
  const days = matures.length === 0 ? [] : daysOf(matures);
  const afterReceipt = (
    <DescriptionList items={[[t("matures.afterReceipt"), <Currency key="after" value={maturing_after_receipt} />]]} />
  );
  if (days.length === 0)
    return (
      <Section title={t("matures.title")}>
        <Text c="dimmed">{t("matures.empty")}</Text>
        {afterReceipt}
      </Section>
    );
  return (
    <ChartSection
      title={t("matures.title")}
      pointTitle={t("matures.date")}
      write={formatCurrency}
      points={namePoints("day", days)}
      series={[{ name: t("matures.amount"), values: days.map(({ amount }) => amount) }]}
      footer={afterReceipt}
    />
  );
}

function PointsOutstanding({
  of: {
    left,
    points: { frozen, available, negative, members_below_zero, release },
  },
}: {
  of: Liabilities;
}) {
  const { t } = useTranslation(["finance", "words"]);
  return (
    <Section title={t("points.title")} about={t("points.about")}>
      <Stack gap="sm">
        <DescriptionList
          items={[
            [t("words:frozenPoints"), <Points key="frozen" value={frozen} />],
            [t("words:availablePoints"), <Points key="available" value={available} />],
            [t("points.left"), <Points key="left" value={left.frozen_points + left.available_points} />],
          ]}
        />
        {members_below_zero > 0 && (
          <Text size="sm">
            {t("points.negative", { count: members_below_zero })} <Points value={negative} />
          </Text>
        )}
        <DescriptionList
          items={release.forecast.map(({ days, release_points }) => [
            t("points.within", { duration: formatDuration(days) }),
            <Points key={days} value={release_points} />,
          ])}
        />
        <Text size="sm" c="dimmed">
          {t("points.half", { duration: formatDuration(release.half_released_after_days) })}
        </Text>
      </Stack>
    </Section>
  );
}

/** What the store owes its members now and later, or owed them at the end of a day. */
export function Liabilities() {
  const { t } = useTranslation("finance");
  const state = useListState();
  const until = useStoreDays("", state.get("until"))?.to;
  const query = until === undefined ? {} : { as_of: until };
  const result = useAdmin("/adminapi/liabilities", { params: { query } });
  return (
    <>
      <FilterBar of={{ state, names: ["until"] }} isForm>
        <DayFilter name="until" label={t("owed.until")} />
      </FilterBar>
      <QueryResult of={result} lines={8}>
        {(liabilities) => (
          <>
            <Owed of={liabilities} query={query} day={state.get("until")} />
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Maturing of={liabilities} />
              <PointsOutstanding of={liabilities} />
            </SimpleGrid>
          </>
        )}
      </QueryResult>
    </>
  );
}
