import { Group } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useAdmin } from "../../store/store.ts";
import { Tag } from "../../components/tag.tsx";

/** The names of the grades in the present language. */
export function useLevelName(): {
  of: (grade: number) => string;
  all: { grade: number; name: string; isActive: boolean }[];
} {
  const { i18n } = useTranslation();
  const { data } = useAdmin("/adminapi/agent/level", {}, { staleTime: 60_000 });
  return useMemo(() => {
    const all = (data?.list ?? []).map(({ grade, name, name_zh, is_active }) => ({
      grade,
      name: i18n.language === "zh" ? name_zh || name : name,
      isActive: is_active,
    }));
    return { all, of: (grade: number) => all.find((level) => level.grade === grade)?.name ?? String(grade) };
  }, [data, i18n.language]);
}

const colors = ["gray", "blue", "teal", "indigo", "orange"];

/** A grade, by its name. */
export function LevelBadge({ grade }: { grade: number }) {
  const { of } = useLevelName();
  return <Tag color={colors[Math.min(grade, colors.length - 1)]}>{of(grade)}</Tag>;
}

interface MemberLevel {
  agent_level: number;
  level_is_held: boolean;
}

/** The grade of a member, with a mark if it is held. */
export function MemberLevelBadge({ member: { agent_level, level_is_held } }: { member: MemberLevel }) {
  const { t } = useTranslation("members");
  return (
    <Group component="span" gap={4} display="inline-flex">
      <LevelBadge grade={agent_level} />
      {level_is_held && (
        <Tag color="orange" size="sm">
          {t("held")}
        </Tag>
      )}
    </Group>
  );
}

/** The exported value of the grade. */
export function useMemberLevelCsv(): (member: MemberLevel) => string {
  const { t } = useTranslation("members");
  const { of } = useLevelName();
  return ({ agent_level, level_is_held }) => (level_is_held ? `${of(agent_level)} (${t("held")})` : of(agent_level));
}
