import { ActionIcon, Alert, Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import i18next from "i18next";
import { Plus, Trash2, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin, AdminRoutes } from "../../../../client/index.ts";
import { noticeText, noticeTypes } from "../../../../../functions/_shared/notices/notice_texts.ts";
import type { Language } from "../../../../shared/languages.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { emptyTexts } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { notify } from "../../components/notify.ts";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { RestoredNotice } from "../../components/restored_notice.tsx";
import { Section } from "../../components/section.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { type FieldErrors, useDraft } from "../../components/use_draft.ts";
import { useAdmin, useStore } from "../../store/store.ts";

type Settings = Admin["MessageSettings"];
type Changes = AdminRoutes["PUT"]["/adminapi/message_settings"]["request"]["body"];
type Template = NonNullable<Changes["templates"]>[number];
type Part = Template["data"][string];
type Fields = { type: string; template_id: string; fields: { name: string; part: Part }[] };

const parts = ["title", "text", "number", "amount", "points", "time", "site_name"] as const satisfies readonly Part[];

const titleOf = (type: Template["type"]) =>
  noticeText({ type, subject_id: 0, name: null, payload: {} }, i18next.language as Language).title;

function useSave() {
  const { admin } = useStore();
  return useAction((body: Changes, key) => admin.PUT("/adminapi/message_settings", { body, ...key }));
}

function QuietHours({ settings }: { settings: Settings }) {
  const { t } = useTranslation(["notices", "common"]);
  const draft = useDraft("quiet hours", {
    quiet_from: settings.quiet_from ?? "",
    quiet_until: settings.quiet_until ?? "",
  });
  const { form } = draft;
  const save = useSave();
  return (
    <Section title={t("messages.quiet")}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(form.values, {
            onSuccess: () => {
              draft.forget();
              notify(t("common:saved"));
            },
            onError: draft.showRejection,
          });
        }}
      >
        <Stack maw={560}>
          <RestoredNotice draft={draft} />
          <Text size="sm">{t("messages.quietAbout")}</Text>
          <Group align="flex-start">
            <TextInput
              {...form.getInputProps("quiet_from")}
              label={t("messages.from")}
              placeholder="22:00"
              maxLength={5}
              w={120}
            />
            <TextInput
              {...form.getInputProps("quiet_until")}
              label={t("messages.until")}
              placeholder="08:00"
              maxLength={5}
              w={120}
            />
          </Group>
          <FailureAlert error={save.error} marksFields />
          <Allowed area="system">
            <Button
              type="submit"
              style={{ alignSelf: "flex-start" }}
              loading={save.isPending}
              disabled={!form.isDirty()}
            >
              {t("common:save")}
            </Button>
          </Allowed>
        </Stack>
      </form>
    </Section>
  );
}

function wrongTemplate({ type, template_id, fields }: Fields): FieldErrors {
  const names = fields.map(({ name }) => name);
  const wrongNames = names.flatMap((name, at) => {
    const wrong = !/^[a-z_]{1,32}\d{1,3}$/.test(name)
      ? "wrongField"
      : names.indexOf(name) < at
        ? "sameField"
        : undefined;
    return wrong ? [[`fields.${at}.name`, i18next.t(`notices:messages.${wrong}`)]] : [];
  });
  return {
    ...(!/^[\w-]*$/.test(template_id) && { template_id: i18next.t("notices:messages.wrongId") }),
    ...(fields.length === 0 && { template_id: i18next.t("notices:messages.noField") }),
    ...(Object.fromEntries(wrongNames) as FieldErrors),
    ...emptyTexts({ type, template_id }),
  };
}

interface TemplateFormProps {
  settings: Settings;
  template?: Settings["templates"][number];
  onClose: () => void;
}

function TemplateForm({ settings, template, onClose }: TemplateFormProps) {
  const { t } = useTranslation(["notices", "common"]);
  const { admin } = useStore();
  const draft = useDraft<Fields>(
    `template ${template?.type ?? "new"}`,
    {
      type: template?.type ?? "",
      template_id: template?.template_id ?? "",
      fields: template
        ? Object.entries(template.data).map(([name, part]) => ({ name, part }))
        : [{ name: "thing1", part: "title" }],
    },
    wrongTemplate,
  );
  const { form } = draft;
  const isFree = (type: Template["type"]) =>
    type === template?.type || !settings.templates.some((other) => other.type === type);
  const save = useAction(({ type, template_id, fields }: Fields, key) =>
    admin.PUT("/adminapi/message_settings", {
      body: {
        templates: [
          {
            type: type as Template["type"],
            template_id,
            data: Object.fromEntries(fields.map(({ name, part }) => [name, part])),
          },
        ],
      },
      ...key,
    }),
  );
  return (
    <FormDrawer
      area="system"
      title={template ? titleOf(template.type) : t("messages.add")}
      draft={draft}
      save={save}
      // One with a problem is tried again when it is saved, also unchanged.
      {...(template?.problem !== null && { added: template ? t("common:saved") : t("messages.added") })}
      onClose={onClose}
    >
      {template?.problem && (
        <Alert color="orange" icon={<TriangleAlert size={18} aria-hidden />} title={t("messages.refused")}>
          {template.problem}
        </Alert>
      )}
      <Select
        {...form.getInputProps("type")}
        label={t("messages.type")}
        required
        searchable
        disabled={template !== undefined}
        data={noticeTypes.filter(isFree).map((type) => ({ value: type, label: titleOf(type) }))}
      />
      <TextInput
        {...form.getInputProps("template_id")}
        label={t("messages.templateId")}
        description={t("messages.templateIdAbout")}
        required
        maxLength={64}
      />
      <Text size="sm">{t("messages.fieldsAbout")}</Text>
      {form.values.fields.map((_, at) => (
        <Group key={at} align="flex-end" wrap="nowrap">
          <TextInput {...form.getInputProps(`fields.${at}.name`)} label={t("messages.field")} maxLength={35} />
          <Select
            {...form.getInputProps(`fields.${at}.part`)}
            label={t("messages.part")}
            allowDeselect={false}
            data={parts.map((part) => ({ value: part, label: t(`messages.parts.${part}`) }))}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={t("messages.removeField", { name: form.values.fields[at]?.name })}
            onClick={() => form.removeListItem("fields", at)}
          >
            <Trash2 size={18} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        leftSection={<Plus size={16} aria-hidden />}
        style={{ alignSelf: "flex-start" }}
        disabled={form.values.fields.length >= 10}
        onClick={() => form.insertListItem("fields", { name: "", part: "text" })}
      >
        {t("messages.addField")}
      </Button>
    </FormDrawer>
  );
}

const column = columnsOf<Settings["templates"][number]>();

function Templates({ settings }: { settings: Settings }) {
  const { t } = useTranslation(["notices", "common"]);
  const opened = useOpened("template");
  const edited = settings.templates.find(({ type }) => type === opened.id);
  const [removed, setRemoved] = useState<Template["type"]>();
  const removal = useConfirmedAction(useSave(), () => t("common:saved"));
  const columns = [
    column.custom({
      id: "type",
      title: t("messages.type"),
      cell: ({ type }) => <OpenLink name="template" id={type} title={titleOf(type)} />,
      csv: ({ type }) => titleOf(type),
    }),
    column.text("template_id", t("messages.templateId"), { clipped: true }),
    column.tag("problem", t("messages.state"), ({ problem }) =>
      problem === null ? [t("messages.inUse"), "green"] : [t("messages.refused"), "orange"],
    ),
    column.custom({
      id: "remove",
      isControl: true,
      title: t("messages.remove"),
      cell: ({ type }) => (
        <Allowed area="system">
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t("messages.removeTemplate", { title: titleOf(type) })}
            onClick={() => {
              setRemoved(type);
              removal.ask();
            }}
          >
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </Allowed>
      ),
    }),
  ];
  return (
    <Section title={t("messages.templates")}>
      <Stack>
        <Text size="sm">{t("messages.templatesAbout")}</Text>
        <Allowed area="system">
          <Button
            style={{ alignSelf: "flex-start" }}
            leftSection={<Plus size={16} aria-hidden />}
            onClick={() => opened.open("new")}
          >
            {t("messages.add")}
          </Button>
        </Allowed>
        <PlainTable
          label={t("messages.templates")}
          columns={columns}
          rows={settings.templates}
          rowId={({ type }) => type}
          empty={t("messages.empty")}
        />
      </Stack>
      {removed && (
        <ConfirmDialog
          {...removal.dialog}
          title={t("messages.removeTemplate", { title: titleOf(removed) })}
          action={t("messages.remove")}
          isDangerous
          onConfirm={() => removal.confirm({ removed: [removed] })}
        >
          <Text>{t("messages.removeMeaning")}</Text>
        </ConfirmDialog>
      )}
      {(opened.id === "new" || edited) && (
        <TemplateForm
          key={opened.id}
          settings={settings}
          {...(edited && { template: edited })}
          onClose={opened.close}
        />
      )}
    </Section>
  );
}

/** The messages to members: when none are sent, and the templates of WeChat. */
export function Component() {
  const { t } = useTranslation(["notices", "common"]);
  const settings = useAdmin("/adminapi/message_settings");
  return (
    <Page title={t("messages.title")} about={t("messages.about")} back={{ to: "/settings", label: t("messages.back") }}>
      <QueryResult of={settings}>
        {(shown) => (
          <Stack>
            {!shown.is_mail_set_up && <Text size="sm">{t("messages.noMail")}</Text>}
            {!shown.is_mini_program_set_up && <Text size="sm">{t("messages.noMiniProgram")}</Text>}
            <QuietHours settings={shown} />
            <Templates settings={shown} />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}
