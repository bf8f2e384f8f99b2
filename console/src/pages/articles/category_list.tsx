import { Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { type Column, DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { Count } from "../../components/figures.tsx";
import { emptyTexts } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { LastChange } from "../../components/last_change.tsx";
import { useListState } from "../../components/list_state.ts";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Tag } from "../../components/tag.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useAdmin, useStore } from "../../store/store.tsx";
import { useAction } from "../../../../web/use_action.ts";
import { DeleteButton } from "./delete_button.tsx";
import { useCategories } from "./use_categories.ts";

type Category = Admin["ArticleCategory"];
type Fields = { title: string; is_sign_in_ad: boolean; hidden: boolean };

const emptyCategory: Fields = { title: "", is_sign_in_ad: false, hidden: false };

function CategoryForm({ category, onClose }: { category?: Category; onClose: () => void }) {
  const { t } = useTranslation(["articles", "common"]);
  const { admin } = useStore();
  const { title, is_sign_in_ad, hidden } = category ?? emptyCategory;
  const draft = useDraft<Fields>(`article category ${category?.id ?? "new"}`, { title, is_sign_in_ad, hidden }, (values) =>
    emptyTexts({ title: values.title }),
  );
  const { form } = draft;
  const save = useAction((body: Fields, key) =>
    category
      ? admin.PUT("/adminapi/article_category/{id}", { params: { path: { id: category.id } }, body: draft.changes(), ...key })
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
      <TextInput {...form.getInputProps("title")} label={t("categories.name")} required maxLength={100} data-autofocus />
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
  const state = useListState();
  const opened = useOpened("category");
  const edited = useCategories().find(({ id }) => String(id) === opened.id);
  const source = { path: "/adminapi/article_category", params: { query: { page: state.page, limit: defaultPageSize } } } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params });
  const columns = useMemo<Column<Category>[]>(
    () => [
      {
        id: "title",
        title: t("categories.name"),
        cell: ({ id, title }) => <OpenLink name="category" id={id} title={title} />,
        csv: ({ title }) => title,
      },
      {
        id: "sign_in",
        title: t("categories.signIn"),
        cell: ({ is_sign_in_ad }) => is_sign_in_ad && <Tag>{t("categories.signIn")}</Tag>,
        csv: ({ is_sign_in_ad }) => is_sign_in_ad,
      },
      {
        id: "hidden",
        title: t("visible"),
        cell: ({ hidden }) => <Tag color={hidden ? "orange" : "gray"}>{t(hidden ? "hidden" : "visible")}</Tag>,
        csv: ({ hidden }) => t(hidden ? "hidden" : "visible"),
      },
      {
        id: "readable",
        title: t("categories.readable"),
        align: "right",
        cell: ({ readable_articles }) => <Count value={readable_articles} />,
        csv: ({ readable_articles }) => readable_articles,
      },
      {
        id: "changed",
        title: t("changed"),
        cell: ({ updated_at, updated_by }) => <LastChange at={updated_at} by={updated_by} />,
        csv: ({ updated_at }) => updated_at,
      },
      {
        id: "delete",
        title: t("common:delete"),
        cell: ({ id, title }) => (
          <DeleteButton
            title={title}
            meaning={t("categories.removeMeaning")}
            send={(key) => admin.DELETE("/adminapi/article_category/{id}", { params: { path: { id } }, body: {}, ...key })}
          />
        ),
      },
    ],
    [t, admin],
  );
  return (
    <Stack>
      <Group justify="flex-end">
        <Allowed area="content">
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => opened.open("new")}>
            {t("categories.add")}
          </Button>
        </Allowed>
      </Group>
      <DataTable
        name="article categories"
        label={t("tabs.categories")}
        columns={columns}
        rowId={({ id }) => id}
        result={result}
        state={state}
        source={source}
        empty={t("categories.empty")}
      />
      {(opened.id === "new" || edited) && <CategoryForm key={opened.id} {...(edited && { category: edited })} onClose={opened.close} />}
    </Stack>
  );
}
