import { Button, Skeleton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { load } from "../../../shared/load_page.ts";
import { Chart, type ChartProps } from "./chart.tsx";
import { Section } from "./section.tsx";

const ChartTable = lazy(load(() => import("./chart_table.tsx")));

interface ChartSectionProps extends Omit<ChartProps, "label"> {
  title: string;
  /** The title of the column with the points. */
  pointTitle: string;
  /** What the chart cannot show. */
  footer?: ReactNode;
}

/** A chart, or the same figures as a table. */
export function ChartSection({ title, pointTitle, footer, ...chart }: ChartSectionProps) {
  const { t } = useTranslation("common");
  const [asTable, { toggle }] = useDisclosure(false);
  const words = t(asTable ? "chart.asChart" : "chart.asTable");
  return (
    <Section
      title={title}
      actions={
        <Button variant="subtle" size="compact-xs" onClick={toggle} aria-label={`${words}: ${title}`}>
          {words}
        </Button>
      }
    >
      {asTable ? (
        <Suspense fallback={<Skeleton height={220} />}>
          <ChartTable label={title} pointTitle={pointTitle} {...chart} />
        </Suspense>
      ) : (
        <Chart label={title} {...chart} />
      )}
      {footer}
    </Section>
  );
}
