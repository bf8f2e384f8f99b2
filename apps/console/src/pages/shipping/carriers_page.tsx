import { Button, Switch, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { Clipped } from "../../components/clipped.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { emptyTexts } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import type { Carrier } from "./carriers.ts";

const column = columnsOf<Carrier>();
type Fields = { code: string; name: string; name_zh: string; tracking_url: string; is_active: boolean };

const emptyCarrier: Fields = { code: "", name: "", name_zh: "", tracking_url: "", is_active: true };

function CarrierForm({ carrier, onClose }: { carrier?: Carrier; onClose: () => void }) {
  const { t } = useTranslation("shipping");
  const { admin } = useStore();
  const { code, name, name_zh, tracking_url, is_active } = carrier ?? emptyCarrier;
  const draft = useDraft<Fields>(
    `carrier ${carrier?.code ?? "new"}`,
    { code, name, name_zh, tracking_url: tracking_url ?? "", is_active },
    (values) => emptyTexts({ code: values.code, name: values.name, name_zh: values.name_zh }),
  );
  const { form } = draft;
  const save = useAction((body: Fields, key) =>
    carrier
      ? admin.PUT("/adminapi/carrier/{code}", {
          params: { path: { code: carrier.code } },
          body: draft.changes(),
          ...key,
        })
      : admin.POST("/adminapi/carrier", { body, ...key }),
  );
  return (
    <FormDrawer
      area="orders"
      title={carrier ? t("carriers.edit", { code }) : t("carriers.add")}
      draft={draft}
      save={save}
      {...(!carrier && { added: t("carriers.added") })}
      onClose={onClose}
    >
      <TextInput
        {...form.getInputProps("code")}
        label={t("carriers.code")}
        description={t("carriers.codeMeaning")}
        required
        disabled={carrier !== undefined}
        maxLength={32}
        {...(!carrier && { "data-autofocus": true })}
      />
      <TextInput {...form.getInputProps("name_zh")} label={t("carriers.nameZh")} required maxLength={64} />
      <TextInput {...form.getInputProps("name")} label={t("carriers.name")} required maxLength={64} />
      <TextInput
        {...form.getInputProps("tracking_url")}
        label={t("carriers.url")}
        description={t("carriers.urlMeaning")}
        maxLength={500}
        placeholder="https://example.com/track?number={number}"
      />
      <Switch
        {...form.getInputProps("is_active", { type: "checkbox" })}
        label={t("carriers.active")}
        description={t("carriers.activeMeaning")}
      />
    </FormDrawer>
  );
}

export function Component() {
  const { t } = useTranslation("shipping");
  const opened = useOpened("carrier");
  const result = useAdmin("/adminapi/carrier");
  const edited = result.data?.list.find(({ code }) => code === opened.id);
  const columns = [
    column.text("code", t("carriers.code"), { cell: ({ code }) => <OpenLink name="carrier" id={code} title={code} /> }),
    column.text("name_zh", t("carriers.nameZh")),
    column.text("name", t("carriers.name")),
    column.text("tracking_url", t("carriers.url"), {
      cell: ({ tracking_url }) => (tracking_url ? <Clipped text={tracking_url} width="11rem" /> : "–"),
    }),
    column.tag("is_active", t("carriers.active"), ({ is_active }) =>
      is_active ? [t("carriers.inUse"), "green"] : [t("carriers.off"), "gray"],
    ),
  ];
  const add = (
    <Allowed area="orders">
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => opened.open("new")}>
        {t("carriers.add")}
      </Button>
    </Allowed>
  );
  return (
    <Page
      title={t("carriers.title")}
      about={t("carriers.about")}
      back={{ to: "/shipping", label: t("title") }}
      actions={add}
    >
      <DataTable
        name="carriers"
        label={t("carriers.title")}
        columns={columns}
        rowId={({ code }) => code}
        list={{ result }}
        empty={t("carriers.empty")}
        first={add}
      />
      {(opened.id === "new" || edited) && (
        <CarrierForm key={opened.id} {...(edited && { carrier: edited })} onClose={opened.close} />
      )}
    </Page>
  );
}
