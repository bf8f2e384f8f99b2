import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { MemberLink } from "../../components/links.tsx";
import { taskTypes } from "../../store/enumerations.ts";
import { useLevelName } from "../members/level_badge.tsx";

/** A change of each of several members, under a title. Nothing without one. */
function Changes({ title, of }: { title: string; of: { uid: number; change: string }[] }) {
  if (of.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {of.map(({ uid, change }) => (
        <Text key={uid} size="sm" component="div">
          <MemberLink uid={uid} />: {change}
        </Text>
      ))}
    </div>
  );
}

/** The members whose task counts and levels a decision about a refund would change. */
export function ForeseenMembers({ of: { counts, rises } }: { of: Pick<Admin["RefundPreview"], "counts" | "rises"> }) {
  const { t } = useTranslation(["orders", "words"]);
  const { of: nameOf } = useLevelName();
  const changed = ({ before, after }: (typeof counts)[number]) =>
    taskTypes
      .filter((type) => before[type] !== after[type])
      .map((type) => `${t(`words:task.${type}`)} ${before[type]} → ${after[type]}`)
      .join("; ");
  return (
    <>
      <Changes
        title={t("refundDialog.counts")}
        of={counts.map((count) => ({ uid: count.uid, change: changed(count) }))}
      />
      <Changes
        title={t("refundDialog.rises")}
        of={rises.map(({ uid, from_level, to_level }) => ({
          uid,
          change: `${nameOf(from_level)} → ${nameOf(to_level)}`,
        }))}
      />
    </>
  );
}
