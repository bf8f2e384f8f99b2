import { SimpleGrid } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { DescriptionList } from "../../components/description_list.tsx";
import { Money, Points } from "../../components/figures.tsx";
import { Section } from "../../components/section.tsx";

/** What a member was given, and where it is now. */
export function Accounts({ accounts: { commission, points } }: { accounts: Admin["MemberPage"]["accounts"] }) {
  const { t } = useTranslation(["members", "words"]);
  const amounts = [
    "opening",
    "earned",
    "adjusted",
    "withdrawable",
    "held_by_refunds",
    "maturing",
    "reserved",
    "paid",
  ] as const;
  const counts = ["opening", "earned", "adjusted", "frozen", "available", "spent"] as const;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title={t("words:commission")} about={t("accounts.about")}>
        <DescriptionList
          items={amounts.map((name) => [t(`accounts.${name}`), <Money key={name} value={commission[name]} />])}
        />
      </Section>
      <Section title={t("words:points")} about={t("accounts.about")}>
        <DescriptionList
          items={counts.map((name) => [t(`accounts.${name}`), <Points key={name} value={points[name]} />])}
        />
      </Section>
    </SimpleGrid>
  );
}
