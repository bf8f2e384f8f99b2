import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { MemberLink } from "../../components/links.tsx";
import { taskTypes } from "../../store/enumerations.ts";
import { useLevelName } from "../members/level_badge.tsx";

/** The members whose task counts and levels a decision about a refund would change. */
export function ForeseenMembers({ of: { counts, rises } }: { of: Pick<Admin["RefundPreview"], "counts" | "rises"> }) {
  const { t } = useTranslation(["orders", "words"]);
  const { of: nameOf } = useLevelName();
  return (
    <>
      {counts.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            {t("refundDialog.counts")}
          </Text>
          {counts.map(({ uid, before, after }) => (
            <Text key={uid} size="sm" component="div">
              <MemberLink uid={uid} />:{" "}
              {taskTypes
                .filter((type) => before[type] !== after[type])
                .map((type) => `${t(`words:task.${type}`)} ${before[type]} → ${after[type]}`)
                .join("; ")}
            </Text>
          ))}
        </div>
      )}
      {rises.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            {t("refundDialog.rises")}
          </Text>
          {rises.map(({ uid, from_level, to_level }) => (
            <Text key={uid} size="sm" component="div">
              <MemberLink uid={uid} />: {nameOf(from_level)} → {nameOf(to_level)}
            </Text>
          ))}
        </div>
      )}
    </>
  );
}
