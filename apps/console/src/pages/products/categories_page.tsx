import { Button, Group, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { emptyTexts } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { LastChange } from "../../components/last_change.tsx";
import { MoveButtons } from "../../components/move_buttons.tsx";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { DeleteButton } from "../articles/delete_button.tsx";

type Category = Admin["AdminProductCategory"];
type Fields = { title: string };

const column = columnsOf<Category>();
const emptyCategory: Fields = { title: "" };

function CategoryForm({ category, onClose }: { category?: Category; onClose: () => void }) {
  const { t } = useTranslation("products");
  const { admin } = useStore();
  const { title } = category ?? emptyCategory;
  const draft = useDraft<Fields>(`product category ${category?.id ?? "new"}`, { title }, emptyTexts);
  const save = useAction((body: Fields, key) =>
    category
      ? admin.PUT("/adminapi/product_category/{id}", { params: { path: { id: category.id } }, body, ...key })
      : admin.POST("/adminapi/product_category", { body, ...key }),
  );
  return (
    <FormDrawer
      area="content"
      title={category ? t("edit", { title }) : t("categories.add")}
      draft={draft}
      save={save}
      {...(!category && { added: t("categories.added") })}
      onClose={onClose}
    >
      <TextInput
        {...draft.form.getInputProps("title")}
        label={t("categories.name")}
        required
        maxLength={100}
        data-autofocus
      />
    </FormDrawer>
  );
}

/** The categories of products, in the sequence in which the app shows them. */
export function Component() {
  const { t } = useTranslation(["products", "common"]);
  const { admin } = useStore();
  const opened = useOpened("category");
  const result = useAdmin("/adminapi/product_category");
  const categories = result.data?.list ?? [];
  const edited = categories.find(({ id }) => String(id) === opened.id);
  const sort = useAction((ids: number[], key) =>
    admin.PUT("/adminapi/product_category/sequence", { body: { ids }, ...key }),
  );

  const placeOf = ({ id }: Category) => categories.findIndex((category) => category.id === id);
  const move = (category: Category, by: -1 | 1) => {
    const ids = categories.map(({ id }) => id).filter((id) => id !== category.id);
    ids.splice(placeOf(category) + by, 0, category.id);
    // Another administrator may have changed the categories; the list then shows them.
    sort.mutate(ids, { onError: () => void result.refetch() });
  };
  const columns = [
    column.text("title", t("categories.name"), {
      cell: ({ id, title }) => <OpenLink name="category" id={id} title={title} />,
    }),
    column.custom({
      id: "move",
      title: t("categories.sequence"),
      isControl: true,
      cell: (category) => (
        <Allowed area="content" inRow>
          <Group gap={4} wrap="nowrap">
            <MoveButtons
              title={category.title}
              at={placeOf(category)}
              count={categories.length}
              isBusy={sort.isPending}
              onMove={(by) => move(category, by)}
            />
          </Group>
        </Allowed>
      ),
    }),
    column.count("products_on_sale", t("onSale")),
    column.count("products", t("categories.products")),
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
            admin.DELETE("/adminapi/product_category/{id}", { params: { path: { id } }, body: {}, ...key })
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
    <Page
      title={t("categories.title")}
      about={t("categories.about")}
      back={{ to: "/products", label: t("title") }}
      actions={add}
    >
      <FailureAlert error={sort.error} />
      <DataTable
        name="product categories"
        label={t("categories.title")}
        columns={columns}
        rowId={({ id }) => id}
        list={{ result }}
        empty={t("categories.empty")}
        first={add}
      />
      {(opened.id === "new" || edited) && (
        <CategoryForm key={opened.id} {...(edited && { category: edited })} onClose={opened.close} />
      )}
    </Page>
  );
}
