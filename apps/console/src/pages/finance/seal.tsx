import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { DescriptionList } from "../../components/description_list.tsx";
import { Count } from "../../components/figures.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";

/** The seal of a closed month, as it is published. @param seal null if the month is not sealed */
export function Seal({ month, seal }: { month: string; seal: Admin["Seal"] | null }) {
  const { t } = useTranslation("finance");
  return (
    <Section title={t("seal.of", { month })} about={t("seal.about")}>
      {seal === null ? (
        <Text size="sm" c="dimmed">
          {t("seal.none")}
        </Text>
      ) : (
        <DescriptionList
          items={[
            [t("months.sealedAt"), <Time key="sealed_at" value={seal.sealed_at} />],
            [t("months.rows"), <Count key="rows" value={seal.rows} />],
            [t("seal.root"), seal.root],
            [t("seal.previous"), seal.previous ?? t("seal.first")],
            [t("seal.key"), seal.key],
          ]}
        />
      )}
    </Section>
  );
}
