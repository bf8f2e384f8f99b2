import { Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { MemberLink } from "../../components/links.tsx";
import { Tag } from "../../components/tag.tsx";

/** A link to a member, with a mark if they have left. */
export function MarkedMember({
  member: { uid, nickname, left_at },
}: {
  member: { uid: number; nickname: string; left_at: string | null };
}) {
  const { t } = useTranslation("words");
  return (
    <Group component="span" gap={4} display="inline-flex">
      <MemberLink uid={uid} nickname={nickname} />
      {left_at && (
        <Tag color="gray" size="sm">
          {t("hasLeft")}
        </Tag>
      )}
    </Group>
  );
}
