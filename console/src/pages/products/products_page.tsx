import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { type Column, DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { formatCount, Money } from "../../components/figures.tsx";
import { ChoiceFilter, FilterBar, TextFilter } from "../../components/filter_bar.tsx";
import { LastChange } from "../../components/last_change.tsx";
import { useListState } from "../../components/list_state.ts";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { Tag } from "../../components/tag.tsx";
import { useAdmin } from "../../store/store.tsx";
import { ProductForm } from "./product_form.tsx";

type Product = Admin["AdminProduct"];

const filters = ["search", "is_show", "is_queue_goods"] as const;

export function Component() {
  const { t } = useTranslation(["products", "common"]);
  const state = useListState();
  const opened = useOpened("product");
  const source = {
    path: "/adminapi/product",
    params: {
      query: {
        page: state.page,
        limit: defaultPageSize,
        ...(state.get("search") && { search: state.get("search") }),
        ...(state.get("is_show") && { is_show: state.get("is_show") === "true" }),
        ...(state.get("is_queue_goods") && { is_queue_goods: state.get("is_queue_goods") === "true" }),
      },
    },
  } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, { placeholderData: keepPreviousData });
  const columns = useMemo<Column<Product>[]>(
    () => [
      {
        id: "title",
        title: t("name"),
        cell: ({ id, title }) => <OpenLink name="product" id={id} title={title} />,
        csv: ({ title }) => title,
      },
      { id: "price", title: t("price"), align: "right", cell: ({ price }) => <Money value={price} />, csv: ({ price }) => price },
      {
        id: "freight",
        title: t("freight"),
        align: "right",
        cell: ({ freight }) => <Money value={freight} />,
        csv: ({ freight }) => freight,
      },
      {
        id: "stock",
        title: t("stock"),
        align: "right",
        cell: ({ stock }) => (stock === null ? t("unlimited") : formatCount(stock)),
        csv: ({ stock }) => stock ?? "",
      },
      {
        id: "queue",
        title: t("queueGoods"),
        cell: ({ is_queue_goods }) => is_queue_goods && <Tag>{t("queueGoods")}</Tag>,
        csv: ({ is_queue_goods }) => is_queue_goods,
      },
      {
        id: "sale",
        title: t("onSale"),
        cell: ({ is_show }) => <Tag color={is_show ? "green" : "gray"}>{t(is_show ? "onSale" : "offSale")}</Tag>,
        csv: ({ is_show }) => t(is_show ? "onSale" : "offSale"),
      },
      {
        id: "changed",
        title: t("changed"),
        cell: ({ updated_at, updated_by }) => <LastChange at={updated_at} by={updated_by} />,
        csv: ({ updated_at }) => updated_at,
      },
    ],
    [t],
  );
  const yesOrNo = [
    { value: "true", label: t("common:yes") },
    { value: "false", label: t("common:no") },
  ];

  return (
    <Page
      title={t("title")}
      actions={
        <Allowed area="content">
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => opened.open("new")}>
            {t("add")}
          </Button>
        </Allowed>
      }
    >
      <FilterBar state={state} names={filters}>
        <TextFilter state={state} name="search" label={t("search")} placeholder={t("searchHint")} />
        <ChoiceFilter state={state} name="is_queue_goods" label={t("queueGoods")} choices={yesOrNo} />
        <ChoiceFilter state={state} name="is_show" label={t("onSale")} choices={yesOrNo} />
      </FilterBar>
      <DataTable
        name="products"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        result={result}
        state={state}
        source={source}
        empty={t("empty")}
      />
      {opened.id && <ProductForm key={opened.id} {...(opened.id !== "new" && { id: Number(opened.id) })} onClose={opened.close} />}
    </Page>
  );
}
