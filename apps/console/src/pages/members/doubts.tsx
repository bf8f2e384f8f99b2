import { Alert, Image, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { DismissDoubt } from "../../components/dismiss_doubt.tsx";
import { useStore } from "../../store/store.ts";

type MemberPage = Admin["MemberPage"];

/**
 * What WeChat wants a person to look at. What is dismissed is what the page shows: another nickname or picture stays in
 * doubt.
 */
export function Doubts({
  member: { uid, nickname, avatar, nickname_in_doubt, avatar_in_doubt },
}: {
  member: MemberPage;
}) {
  const { t } = useTranslation("members");
  const { admin } = useStore();
  const doubt = (title: string, seen: { nickname: string } | { avatar: string }, shown?: ReactNode) => (
    <Alert color="yellow" role="note" title={title}>
      <Stack gap="xs" align="flex-start">
        {shown}
        <DismissDoubt
          area="members"
          send={(key) =>
            admin.PUT("/adminapi/user/{uid}/doubt/dismiss", { params: { path: { uid } }, body: seen, ...key })
          }
        />
      </Stack>
    </Alert>
  );
  return (
    <>
      {nickname_in_doubt && doubt(t("nicknameInDoubt"), { nickname })}
      {avatar_in_doubt &&
        avatar !== null &&
        doubt(
          t("avatarInDoubt"),
          { avatar },
          <Image src={avatar} alt={t("avatar", { nickname })} w={120} h={120} fit="contain" />,
        )}
    </>
  );
}
