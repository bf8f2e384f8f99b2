import { SimpleGrid, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { emptyTexts, wrongAmounts } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useStore } from "../../store/store.tsx";
import { useAction } from "../../store/use_action.ts";
import { ActionsOf } from "../actions/action_list.tsx";

type Fields = { title: string; price: string; freight: string; is_queue_goods: boolean; is_show: boolean };

const emptyProduct: Fields = { title: "", price: "", freight: "0.00", is_queue_goods: false, is_show: true };

/** Adds a product, or changes the one that is given. */
export function ProductForm({ product, onClose }: { product?: Admin["AdminProduct"]; onClose: () => void }) {
  const { t } = useTranslation(["products", "common"]);
  const { admin } = useStore();
  const { title, price, freight, is_queue_goods, is_show } = product ?? emptyProduct;
  const draft = useDraft<Fields>(`product ${product?.id ?? "new"}`, { title, price, freight, is_queue_goods, is_show }, (values) => ({ ...emptyTexts({ title: values.title }), ...wrongAmounts({ price: values.price, freight: values.freight }) }));
  const { form } = draft;
  const save = useAction((body: Fields, key) =>
    product
      ? admin.PUT("/adminapi/product/{id}", { params: { path: { id: product.id } }, body: draft.changes(), ...key })
      : admin.POST("/adminapi/product", { body, ...key }));

  // Money is text on the way to the store: no digit passes through a floating-point number.
  // And no field turns what was typed into another amount: the store says what it does not take.
  const money = (field: "price" | "freight") => ({ ...form.getInputProps(field), inputMode: "decimal", required: true, maxLength: 16, className: "figures" }) as const;

  return (
    <FormDrawer title={product ? t("edit", { title: product.title }) : t("add")} draft={draft} save={save} {...(!product && { added: t("added") })} onClose={onClose}>
      <TextInput {...form.getInputProps("title")} label={t("name")} required maxLength={200} data-autofocus />
      <SimpleGrid cols={2}>
        <TextInput {...money("price")} label={t("price")} />
        <TextInput {...money("freight")} label={t("freight")} />
      </SimpleGrid>
      <Switch {...form.getInputProps("is_queue_goods", { type: "checkbox" })} label={t("queueGoods")} description={t("queueGoodsMeaning")} />
      <Switch {...form.getInputProps("is_show", { type: "checkbox" })} label={t("onSale")} description={t("onSaleMeaning")} />
      {product && <ActionsOf type="product" id={product.id} />}
    </FormDrawer>
  );
}
