import { Select, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../../../../shared/use_action.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useStore } from "../../store/store.ts";
import { requestKinds } from "./request_kinds.ts";

type Fields = { uid: string; kind: (typeof requestKinds)[number]; received_on: string; note: string };

/** Records a request of a member who wrote or called. */
export function RecordForm({ uid, onClose }: { uid: string; onClose: () => void }) {
  const { t } = useTranslation(["person_requests", "words"]);
  const { admin } = useStore();
  const [empty] = useState<Fields>({ uid, kind: "copy", received_on: "", note: "" });
  const check = ({ uid: member, kind, note }: Fields) => ({
    ...(!/^[1-9]\d{0,14}$/.test(member.trim()) && { uid: t("record.wrongMember") }),
    ...(kind === "correction" && note.trim() === "" && { note: t("record.wrongNote") }),
  });
  const draft = useDraft<Fields>(`person request ${uid}`, empty, check);
  const { form } = draft;
  const save = useAction(({ uid: member, kind, received_on, note }: Fields, key) =>
    admin.POST("/adminapi/person_request", {
      body: { uid: Number(member), kind, note, ...(received_on && { received_on }) },
      ...key,
    }),
  );
  return (
    <FormDrawer
      area="members"
      title={t("record.open")}
      draft={draft}
      save={save}
      added={t("record.added")}
      onClose={onClose}
    >
      <Text size="sm">{t("record.meaning")}</Text>
      <TextInput
        {...form.getInputProps("uid")}
        label={t("words:uid")}
        required
        inputMode="numeric"
        maxLength={15}
        className="figures"
        data-autofocus
      />
      <Select
        {...form.getInputProps("kind")}
        label={t("kind")}
        data={requestKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        required
        allowDeselect={false}
      />
      <TextInput
        {...form.getInputProps("received_on")}
        label={t("record.receivedOn")}
        description={t("record.receivedOnMeaning")}
        type="date"
      />
      <Textarea
        {...form.getInputProps("note")}
        label={t("note")}
        description={t("record.noteMeaning")}
        autosize
        minRows={2}
        maxLength={500}
      />
    </FormDrawer>
  );
}
