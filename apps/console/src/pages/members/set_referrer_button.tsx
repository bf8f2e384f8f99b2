import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Admin, unwrap } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";

/** What setting this referrer would change, or why it cannot be set. */
function Preview({ uid, spreadUid }: { uid: number; spreadUid: number }) {
  const { t } = useTranslation("members");
  const { admin } = useStore();
  const preview = useQuery({
    queryKey: ["referrer preview", uid, spreadUid],
    queryFn: ({ signal }) =>
      unwrap(
        admin.POST("/adminapi/user/{uid}/spread/preview", {
          params: { path: { uid } },
          body: { spread_uid: spreadUid },
          signal,
        }),
      ),
    retry: false,
  });
  return (
    <QueryResult of={preview} lines={2}>
      {({ from, to, orders }) => (
        <Stack gap={4}>
          <Text>{from ? t("setReferrer.from", { nickname: from.nickname }) : t("setReferrer.fromNobody")}</Text>
          <Text>{t("setReferrer.to", { nickname: to.nickname })}</Text>
          {orders > 0 && <Text>{t("setReferrer.orders", { count: orders })}</Text>}
        </Stack>
      )}
    </QueryResult>
  );
}

const isUid = (text: string) => /^\d{1,15}$/.test(text);

/** Sets or corrects the referrer of a member, after a confirm dialog that shows what it changes. */
export function SetReferrerButton({ member: { uid, nickname } }: { member: Admin["MemberPage"] }) {
  const { t } = useTranslation("members");
  const { admin } = useStore();
  const [number, setNumber] = useState("");
  const [reason, setReason] = useState("");
  const [typed] = useDebouncedValue(number.trim(), 300);
  const set = useAction((body: { spread_uid: number; reason: string }, key) =>
    admin.PUT("/adminapi/user/{uid}/spread", { params: { path: { uid } }, body, ...key }),
  );
  const confirmation = useConfirmedAction(set, () => t("setReferrer.done"));

  return (
    <>
      <Allowed area="members">
        <Button variant="default" onClick={confirmation.ask}>
          {t("setReferrer.open")}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("setReferrer.title", { nickname })}
        action={t("setReferrer.action")}
        disabled={!isUid(number.trim()) || reason.trim() === ""}
        onConfirm={() => confirmation.confirm({ spread_uid: Number(number.trim()), reason: reason.trim() })}
      >
        <Text>{t("setReferrer.meaning")}</Text>
        <TextInput
          required
          label={t("setReferrer.uid")}
          inputMode="numeric"
          value={number}
          onChange={(event) => setNumber(event.currentTarget.value)}
          maxLength={15}
        />
        {confirmation.dialog.opened && isUid(typed) && <Preview uid={uid} spreadUid={Number(typed)} />}
        <TextInput
          required
          label={t("setReferrer.reason")}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
        />
      </ConfirmDialog>
    </>
  );
}
