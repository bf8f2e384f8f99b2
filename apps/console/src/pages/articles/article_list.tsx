import { Button, Group, Stack } from "@mantine/core";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { ChoiceFilter, FilterBar, TextFilter } from "../../components/filter_bar.tsx";
import { LastChange } from "../../components/last_change.tsx";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Pictured } from "../../components/thumbnail.tsx";
import { useList } from "../../components/use_list.ts";
import { useStore } from "../../store/store.ts";
import { ArticleForm } from "./article_form.tsx";
import { DeleteButton } from "./delete_button.tsx";
import { useCategories } from "./use_categories.ts";

const column = columnsOf<Admin["ListedArticle"]>();
const filters = { search: "text", cid: "number", status: "boolean", hidden: "boolean" } as const;

export function ArticleList() {
  const { t } = useTranslation(["articles", "common"]);
  const { admin } = useStore();
  const opened = useOpened("article");
  const categories = useCategories();
  const list = useList("/adminapi/article", { filters });
  const columns = [
    column.text("title", t("name"), {
      width: 280,
      cell: ({ id, title, image_input }) => (
        <Pictured address={image_input}>
          <OpenLink name="article" id={id} title={title} />
        </Pictured>
      ),
    }),
    column.words("category", t("category"), ({ cid }) => categories.find(({ id }) => id === cid)?.title ?? String(cid)),
    column.tag("status", t("published"), ({ status }) =>
      status ? [t("published"), "green"] : [t("notPublished"), "gray"],
    ),
    column.tag("hidden", t("visible"), ({ hidden }) => (hidden ? [t("hidden"), "orange"] : [t("visible"), "gray"])),
    column.time("updated_at", t("changed"), {
      width: 200,
      cell: ({ updated_at, updated_by }) => <LastChange at={updated_at} by={updated_by} />,
    }),
    column.custom({
      id: "delete",
      title: t("common:delete"),
      width: 96,
      cell: ({ id, title }) => (
        <DeleteButton
          title={title}
          meaning={t("remove.meaning")}
          send={(key) => admin.DELETE("/adminapi/article/{id}", { params: { path: { id } }, body: {}, ...key })}
        />
      ),
    }),
    column.text("author", t("author"), { clipped: true }),
  ];

  const add = (
    <Allowed area="content">
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => opened.open("new")}>
        {t("add")}
      </Button>
    </Allowed>
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between" className="page-head">
        <FilterBar of={list}>
          <TextFilter name="search" label={t("search")} placeholder={t("searchHint")} />
          <ChoiceFilter
            name="cid"
            label={t("category")}
            choices={categories.map(({ id, title }) => ({ value: String(id), label: title }))}
          />
          <ChoiceFilter
            name="status"
            label={t("published")}
            choices={[
              { value: "true", label: t("published") },
              { value: "false", label: t("notPublished") },
            ]}
          />
          <ChoiceFilter
            name="hidden"
            label={t("visible")}
            choices={[
              { value: "false", label: t("visible") },
              { value: "true", label: t("hidden") },
            ]}
          />
        </FilterBar>
        {add}
      </Group>
      <DataTable
        name="articles"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("empty")}
        first={add}
      />
      {opened.id && (
        <ArticleForm key={opened.id} {...(opened.id !== "new" && { id: Number(opened.id) })} onClose={opened.close} />
      )}
    </Stack>
  );
}
