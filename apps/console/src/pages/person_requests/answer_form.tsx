import { Select, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { DescriptionList } from "../../components/description_list.tsx";
import { emptyTexts } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { Time } from "../../components/time.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useStore } from "../../store/store.ts";

type Fields = { state: "open" | "done" | "refused"; answer: string };

const how = { copy: "howCopy", correction: "howCorrection", deletion: "howDeletion" } as const;

/** Notes what was done for an open request, or closes it. */
export function AnswerForm({ request, onClose }: { request: Admin["AdminPersonRequest"]; onClose: () => void }) {
  const { id, uid, nickname, kind, note, due_at, answer } = request;
  const { t } = useTranslation(["person_requests", "words"]);
  const { admin } = useStore();
  const [saved] = useState<Fields>({ state: "open", answer });
  const draft = useDraft<Fields>(`answer ${id}`, saved, (values) => emptyTexts({ answer: values.answer }));
  const { form } = draft;
  const save = useAction((body: Fields, key) =>
    admin.PUT("/adminapi/person_request/{id}", { params: { path: { id } }, body, ...key }),
  );
  const states = [
    { value: "open", label: t("reply.stateOpen") },
    // Only the deletion of the account does it.
    ...(kind === "deletion" ? [] : [{ value: "done", label: t("states.done") }]),
    { value: "refused", label: t("states.refused") },
  ];
  return (
    <FormDrawer
      area="members"
      title={t("reply.of", { member: `${nickname} ${uid}` })}
      draft={draft}
      save={save}
      onClose={onClose}
    >
      <DescriptionList
        items={[
          [t("kind"), t(`kinds.${kind}`)],
          [t("due"), <Time key="due" value={due_at} />],
          [t("note"), note || "–"],
        ]}
      />
      <Text size="sm">{t(`reply.${how[kind]}`)}</Text>
      <Select
        {...form.getInputProps("state")}
        label={t("reply.state")}
        data={states}
        required
        allowDeselect={false}
        data-autofocus
      />
      <Textarea
        {...form.getInputProps("answer")}
        label={t("reply.answer")}
        description={t("reply.answerMeaning")}
        required
        autosize
        minRows={2}
        maxLength={500}
      />
    </FormDrawer>
  );
}
