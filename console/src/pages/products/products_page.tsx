import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { formatCount } from "../../components/figures.tsx";
import { ChoiceFilter, FilterBar, TextFilter } from "../../components/filter_bar.tsx";
import { LastChange } from "../../components/last_change.tsx";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { Tag } from "../../components/tag.tsx";
import { useList } from "../../components/use_list.ts";
import { ProductForm } from "./product_form.tsx";

const column = columnsOf<Admin["AdminProduct"]>();

export function Component() {
  const { t } = useTranslation(["products", "common"]);
  const opened = useOpened("product");
  const list = useList("/adminapi/product", { filters: { search: "text", is_show: "boolean", is_queue_goods: "boolean" } });
  const columns = [
    column.text("title", t("name"), { cell: ({ id, title }) => <OpenLink name="product" id={id} title={title} /> }),
    column.money("price", t("price")),
    column.money("freight", t("freight")),
    column.number("stock", t("stock"), { cell: ({ stock }) => (stock === null ? t("unlimited") : formatCount(stock)) }),
    column.custom({
      id: "queue",
      title: t("queueGoods"),
      cell: ({ is_queue_goods }) => is_queue_goods && <Tag>{t("queueGoods")}</Tag>,
      csv: ({ is_queue_goods }) => is_queue_goods,
    }),
    column.tag("sale", t("onSale"), ({ is_show }) => (is_show ? [t("onSale"), "green"] : [t("offSale"), "gray"])),
    column.time("updated_at", t("changed"), { cell: ({ updated_at, updated_by }) => <LastChange at={updated_at} by={updated_by} /> }),
  ];
  const yesOrNo = [
    { value: "true", label: t("common:yes") },
    { value: "false", label: t("common:no") },
  ];

  const add = (
    <Allowed area="content">
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => opened.open("new")}>
        {t("add")}
      </Button>
    </Allowed>
  );
  return (
    <Page title={t("title")} actions={add}>
      <FilterBar of={list} views="products">
        <TextFilter name="search" label={t("search")} placeholder={t("searchHint")} />
        <ChoiceFilter name="is_queue_goods" label={t("queueGoods")} choices={yesOrNo} />
        <ChoiceFilter name="is_show" label={t("onSale")} choices={yesOrNo} />
      </FilterBar>
      <DataTable name="products" label={t("title")} columns={columns} rowId={({ id }) => id} list={list} empty={t("empty")} first={add} />
      {opened.id && <ProductForm key={opened.id} {...(opened.id !== "new" && { id: Number(opened.id) })} onClose={opened.close} />}
    </Page>
  );
}
