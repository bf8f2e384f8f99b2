import { Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { emptyTexts } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { LastChange } from "../../components/last_change.tsx";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Tag } from "../../components/tag.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useList } from "../../components/use_list.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { DeleteButton } from "./delete_button.tsx";
import { useCategories } from "./use_categories.ts";

type Category = Admin["ArticleCategory"];

const column = columnsOf<Category>();
type Fields = { title: string; is_sign_in_ad: boolean; hidden: boolean };

const emptyCategory: Fields = { title: "", is_sign_in_ad: false, hidden: false };

function CategoryForm({ category, onClose }: { category?: Category; onClose: () => void }) {
  const { t } = useTranslation(["articles", "common"]);
  const { admin } = useStore();
  const { title, is_sign_in_ad, hidden } = category ?? emptyCategory;
  const draft = useDraft<Fields>(
    `article category ${category?.id ?? "new"}`,
    { title, is_sign_in_ad, hidden },
    (values) => emptyTexts({ title: values.title }),
  );
  const { form } = draft;
  const save = useAction((body: Fields, key) =>
    category
      ? admin.PUT("/adminapi/article_category/{id}", {
          params: { path: { id: category.id } },
          body: draft.changes(),
          ...key,
        })
      : admin.POST("/adminapi/article_category", { body, ...key }),
  );
  return (
    <FormDrawer
      area="content"
      title={category ? t("categories.edit", { title }) : t("categories.add")}
      draft={draft}
      save={save}
      {...(!category && { added: t("categories.added") })}
      onClose={onClose}
    >
      <TextInput
        {...form.getInputProps("title")}
        label={t("categories.name")}
        required
        maxLength={100}
        data-autofocus
      />
      <Switch
        {...form.getInputProps("is_sign_in_ad", { type: "checkbox" })}
        label={t("categories.signIn")}
        description={t("categories.signInMeaning")}
      />
      <Switch {...form.getInputProps("hidden", { type: "checkbox" })} label={t("hidden")} />
    </FormDrawer>
  );
}

export function CategoryList() {
  const { t } = useTranslation(["articles", "common"]);
  const { admin } = useStore();
  const opened = useOpened("category");
  const edited = useCategories().find(({ id }) => String(id) === opened.id);
  const list = useList("/adminapi/article_category");
  const columns = [
    column.text("title", t("categories.name"), {
      cell: ({ id, title }) => <OpenLink name="category" id={id} title={title} />,
    }),
    column.custom({
      id: "sign_in",
      title: t("categories.signIn"),
      cell: ({ is_sign_in_ad }) => is_sign_in_ad && <Tag>{t("categories.signIn")}</Tag>,
      csv: ({ is_sign_in_ad }) => is_sign_in_ad,
    }),
    column.tag("hidden", t("visible"), ({ hidden }) => (hidden ? [t("hidden"), "orange"] : [t("visible"), "gray"])),
    column.count("readable_articles", t("categories.readable")),
    column.time("updated_at", t("changed"), {
      width: 200,
      cell: ({ updated_at, updated_by }) => <LastChange at={updated_at} by={updated_by} />,
    }),
    column.custom({
      id: "delete",
      title: t("common:delete"),
      cell: ({ id, title }) => (
        <DeleteButton
          title={title}
          meaning={t("categories.removeMeaning")}
          send={(key) =>
            admin.DELETE("/adminapi/article_category/{id}", { params: { path: { id } }, body: {}, ...key })
          }
        />
      ),
    }),
  ];
  const add = (
    <Allowed area="content">
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => opened.open("new")}>
        {t("categories.add")}
      </Button>
    </Allowed>
  );
  return (
    <Stack>
      <Group justify="flex-end">{add}</Group>
      <DataTable
        name="article categories"
        label={t("tabs.categories")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("categories.empty")}
        first={add}
      />
      {(opened.id === "new" || edited) && (
        <CategoryForm key={opened.id} {...(edited && { category: edited })} onClose={opened.close} />
      )}
    </Stack>
  );
}
