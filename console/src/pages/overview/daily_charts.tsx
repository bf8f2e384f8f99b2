import { Button, SimpleGrid, Table } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { BarChart, type Series } from "../../parts/bar_chart.tsx";
import { formatCount, formatMoney, formatPoints } from "../../parts/figures.tsx";
import { ScrollBox } from "../../parts/scroll_box.tsx";
import { Section } from "../../parts/section.tsx";
import { Day } from "../../parts/time.tsx";

type Days = Admin["Overview"]["days"];

/** One chart, or the same figures as a table for whoever cannot see it or wants the digits. */
function DailyChart({ title, days, series, write }: { title: string; days: Days; series: Series[]; write: (value: number) => string }) {
  const { t } = useTranslation(["overview", "common"]);
  const [asTable, { toggle }] = useDisclosure(false);
  return (
    <Section title={title} actions={<Button variant="subtle" size="compact-xs" onClick={toggle}>{t(asTable ? "chart.asChart" : "chart.asTable")}</Button>}>
      {asTable ? (
        <ScrollBox label={title} maxHeight={260}>
          <Table className="data-table" stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t("common:day")}</Table.Th>
                {series.map(({ name }) => <Table.Th key={name} scope="col" ta="right">{name}</Table.Th>)}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.map(({ day }, index) => (
                <Table.Tr key={day}>
                  <Table.Td><Day value={day} /></Table.Td>
                  {series.map(({ name, values }) => <Table.Td key={name} ta="right" className="figures">{write(values[index]!)}</Table.Td>)}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollBox>
      ) : <BarChart label={title} days={days.map(({ day }) => day)} series={series} write={write} />}
    </Section>
  );
}

export function DailyCharts({ days }: { days: Days }) {
  const { t } = useTranslation("overview");
  return (
    <SimpleGrid cols={{ base: 1, lg: 3 }}>
      <DailyChart title={t("chart.orders")} days={days} write={formatCount} series={[{ name: t("orders"), values: days.map(({ orders }) => orders) }, { name: t("queueOrders"), values: days.map(({ queue_orders }) => queue_orders) }]} />
      <DailyChart title={t("chart.money")} days={days} write={formatMoney} series={[{ name: t("queueRevenue"), values: days.map(({ queue_revenue }) => Number(queue_revenue)) }, { name: t("commission"), values: days.map(({ commission }) => Number(commission)) }]} />
      <DailyChart title={t("chart.points")} days={days} write={formatPoints} series={[{ name: t("pointsFrozen"), values: days.map(({ points_frozen }) => points_frozen) }, { name: t("pointsReleased"), values: days.map(({ points_released }) => points_released) }]} />
    </SimpleGrid>
  );
}
