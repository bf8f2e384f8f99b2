import { Button, Group, List, Text } from "@mantine/core";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { formatCount } from "../../components/figures.tsx";
import { ChoiceFilter, FilterBar, TextFilter } from "../../components/filter_bar.tsx";
import { LastChange } from "../../components/last_change.tsx";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import {
  ExportSelection,
  type Selection,
  SelectionBar,
  useSelectColumn,
  useSelection,
} from "../../components/selection.tsx";
import { Tag } from "../../components/tag.tsx";
import { Pictured } from "../../components/thumbnail.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useList } from "../../components/use_list.ts";
import { useStore } from "../../store/store.ts";
import { ProductForm } from "./product_form.tsx";
import { useProductCategories } from "./use_product_categories.ts";

type Product = Admin["AdminProduct"];

const column = columnsOf<Product>();

/** The units that are left, and whether they are few. */
function Stock({ product: { stock, low_stock } }: { product: Product }) {
  const { t } = useTranslation("products");
  if (stock === null) return t("unlimited");
  return (
    <>
      {formatCount(stock)} {stock < low_stock && <Tag color="orange">{t("isLow")}</Tag>}
    </>
  );
}

/** Puts the chosen products on sale, or takes them off. */
function SaleButton({ selection, isShow }: { selection: Selection<Product>; isShow: boolean }) {
  const { t } = useTranslation("products");
  const { admin } = useStore();
  const words = isShow ? "list" : "unlist";
  const send = useAction((ids: number[], key) =>
    admin.PUT("/adminapi/product/sale", { body: { ids, is_show: isShow }, ...key }),
  );
  const confirmation = useConfirmedAction(send, ({ changed }) => {
    selection.clear();
    return t(`sale.${words}.done`, { count: changed });
  });
  const changing = selection.rows.filter(({ is_show }) => is_show !== isShow);
  const count = selection.rows.length;
  return (
    <>
      <Button variant="default" onClick={confirmation.ask} disabled={changing.length === 0}>
        {t(`sale.${words}.open`)}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t(`sale.${words}.title`, { count })}
        action={t(`sale.${words}.open`)}
        onConfirm={() => confirmation.confirm(selection.rows.map(({ id }) => id))}
      >
        <Text>{t(`sale.${words}.meaning`)}</Text>
        <List size="sm">
          {changing.map(({ id, title }) => (
            <List.Item key={id}>{title}</List.Item>
          ))}
        </List>
        {changing.length < count && (
          <Text size="sm">{t(`sale.${words}.already`, { count: count - changing.length })}</Text>
        )}
      </ConfirmDialog>
    </>
  );
}

/** How many of the chosen products each of the two actions leaves out, because they are so already. */
function useLeftOut({ rows }: Selection<Product>): string[] {
  const { t } = useTranslation("products");
  return (["list", "unlist"] as const).flatMap((words) => {
    const count = rows.filter(({ is_show }) => is_show === (words === "list")).length;
    return count === 0 ? [] : t(`sale.${words}.leftOut`, { count });
  });
}

/** Adds a product to try the store with. It is not on sale before somebody has looked at it. */
function SampleButton({ onAdded }: { onAdded: (id: number) => void }) {
  const { t } = useTranslation("products");
  const { admin } = useStore();
  const add = useAction((_: void, key) =>
    admin.POST("/adminapi/product", {
      body: {
        title: t("sample.title"),
        price: "3600.00",
        is_queue_goods: true,
        is_show: false,
        description: t("sample.description"),
      },
      ...key,
    }),
  );
  return (
    <Allowed area="content" inRow>
      <FailureAlert error={add.error} />
      <Button
        variant="default"
        loading={add.isPending}
        onClick={() => add.mutate(undefined, { onSuccess: ({ id }) => onAdded(id) })}
      >
        {t("sample.add")}
      </Button>
    </Allowed>
  );
}

export function Component() {
  const { t } = useTranslation(["products", "common"]);
  const opened = useOpened("product");
  const list = useList("/adminapi/product", {
    filters: { search: "text", is_show: "boolean", is_queue_goods: "boolean", category_id: "id", is_low: "boolean" },
    isSorted: true,
  });
  const { list: rows = [], count = 0 } = list.result.data ?? {};
  const categories = useProductCategories();
  const selection = useSelection<Product>();
  const select = useSelectColumn(selection, rows, ({ title }) => t("select", { title }));
  const columns = [
    select,
    column.text("title", t("name"), {
      sort: true,
      width: 280,
      cell: ({ id, title, images }) => (
        <Pictured address={images[0]}>
          <OpenLink name="product" id={id} title={title} />
        </Pictured>
      ),
    }),
    column.money("price", t("price"), { sort: true }),
    column.money("freight", t("freight")),
    column.number("stock", t("stock"), { sort: true, cell: (product) => <Stock product={product} /> }),
    column.custom({
      id: "queue",
      title: t("queueGoods"),
      cell: ({ is_queue_goods }) => is_queue_goods && <Tag>{t("queueGoods")}</Tag>,
      csv: ({ is_queue_goods }) => is_queue_goods,
    }),
    column.tag("sale", t("onSale"), ({ is_show }) => (is_show ? [t("onSale"), "green"] : [t("offSale"), "gray"])),
    column.time("updated_at", t("changed"), {
      width: 200,
      cell: ({ updated_at, updated_by }) => <LastChange at={updated_at} by={updated_by} />,
    }),
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
  const toCategories = (
    <Button component={Link} to="/product-categories" variant="default">
      {t("categories.title")}
    </Button>
  );
  return (
    <Page
      title={t("title")}
      actions={
        <>
          {toCategories}
          {add}
        </>
      }
    >
      <FilterBar of={list} views="products">
        <TextFilter name="search" label={t("search")} placeholder={t("searchHint")} />
        <ChoiceFilter
          name="is_show"
          label={t("onSale")}
          choices={[
            { value: "true", label: t("onSale") },
            { value: "false", label: t("offSale") },
          ]}
        />
        {categories.length > 0 && <ChoiceFilter name="category_id" label={t("category")} choices={categories} />}
        <ChoiceFilter name="is_queue_goods" label={t("queueGoods")} choices={yesOrNo} />
        <ChoiceFilter name="is_low" label={t("low")} choices={yesOrNo} />
      </FilterBar>
      <DataTable
        name="products"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("empty")}
        first={
          <Group>
            {add}
            <SampleButton onAdded={(id) => opened.open(String(id))} />
          </Group>
        }
      />
      <SelectionBar
        label={t("selection")}
        selection={selection}
        list={list}
        count={count}
        leftOut={useLeftOut(selection)}
      >
        <Allowed area="content">
          <SaleButton selection={selection} isShow />
          <SaleButton selection={selection} isShow={false} />
        </Allowed>
        <ExportSelection name="products" label={t("title")} columns={columns} selection={selection} />
      </SelectionBar>
      {opened.id && <ProductForm key={opened.id} opened={opened.id} onClose={opened.close} />}
    </Page>
  );
}
