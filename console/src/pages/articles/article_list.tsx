import { Button, Group, Stack } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { Clipped } from "../../components/clipped.tsx";
import { type Column, DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { ChoiceFilter, FilterBar, TextFilter } from "../../components/filter_bar.tsx";
import { LastChange } from "../../components/last_change.tsx";
import { useListState } from "../../components/list_state.ts";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Tag } from "../../components/tag.tsx";
import { useAdmin, useStore } from "../../store/store.tsx";
import { ArticleForm } from "./article_form.tsx";
import { DeleteButton } from "./delete_button.tsx";
import { useCategories } from "./use_categories.ts";

type Article = Admin["ListedArticle"];

const filters = ["search", "cid", "status", "hidden"] as const;

export function ArticleList() {
  const { t } = useTranslation(["articles", "common"]);
  const { admin } = useStore();
  const state = useListState();
  const opened = useOpened("article");
  const categories = useCategories();
  const source = {
    path: "/adminapi/article",
    params: {
      query: {
        page: state.page,
        limit: defaultPageSize,
        ...(state.get("search") && { search: state.get("search") }),
        ...(state.get("cid") && { cid: Number(state.get("cid")) }),
        ...(state.get("status") && { status: state.get("status") === "true" }),
        ...(state.get("hidden") && { hidden: state.get("hidden") === "true" }),
      },
    },
  } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, { placeholderData: keepPreviousData });
  const columns = useMemo<Column<Article>[]>(
    () => [
      {
        id: "title",
        title: t("name"),
        cell: ({ id, title }) => <OpenLink name="article" id={id} title={title} />,
        csv: ({ title }) => title,
      },
      {
        id: "category",
        title: t("category"),
        cell: ({ cid }) => categories.find(({ id }) => id === cid)?.title ?? cid,
        csv: ({ cid }) => categories.find(({ id }) => id === cid)?.title ?? cid,
      },
      { id: "author", title: t("author"), cell: ({ author }) => <Clipped text={author} />, csv: ({ author }) => author },
      {
        id: "status",
        title: t("published"),
        cell: ({ status }) => <Tag color={status ? "green" : "gray"}>{t(status ? "published" : "notPublished")}</Tag>,
        csv: ({ status }) => t(status ? "published" : "notPublished"),
      },
      {
        id: "hidden",
        title: t("visible"),
        cell: ({ hidden }) => <Tag color={hidden ? "orange" : "gray"}>{t(hidden ? "hidden" : "visible")}</Tag>,
        csv: ({ hidden }) => t(hidden ? "hidden" : "visible"),
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
            meaning={t("remove.meaning")}
            send={(key) => admin.DELETE("/adminapi/article/{id}", { params: { path: { id } }, body: {}, ...key })}
          />
        ),
      },
    ],
    [t, categories, admin],
  );

  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <FilterBar state={state} names={filters}>
          <TextFilter state={state} name="search" label={t("search")} placeholder={t("searchHint")} />
          <ChoiceFilter
            state={state}
            name="cid"
            label={t("category")}
            choices={categories.map(({ id, title }) => ({ value: String(id), label: title }))}
          />
          <ChoiceFilter
            state={state}
            name="status"
            label={t("published")}
            choices={[
              { value: "true", label: t("published") },
              { value: "false", label: t("notPublished") },
            ]}
          />
          <ChoiceFilter
            state={state}
            name="hidden"
            label={t("visible")}
            choices={[
              { value: "false", label: t("visible") },
              { value: "true", label: t("hidden") },
            ]}
          />
        </FilterBar>
        <Allowed area="content">
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => opened.open("new")}>
            {t("add")}
          </Button>
        </Allowed>
      </Group>
      <DataTable
        name="articles"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        result={result}
        state={state}
        source={source}
        empty={t("empty")}
      />
      {opened.id && <ArticleForm key={opened.id} {...(opened.id !== "new" && { id: Number(opened.id) })} onClose={opened.close} />}
    </Stack>
  );
}
