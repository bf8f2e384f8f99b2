import { SimpleGrid, Switch, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { emptyTexts, wrongAddresses, wrongAmounts, wrongCounts } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { PicturesInput } from "../../components/pictures_input.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { SideDrawer } from "../../components/side_drawer.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { addressesIn } from "../../components/use_picture_uploads.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { useAction } from "../../../../web/use_action.ts";
import { ActionsOf } from "../actions/action_list.tsx";

type Fields = {
  title: string;
  price: string;
  freight: string;
  is_queue_goods: boolean;
  is_show: boolean;
  stock: string;
  images: string;
  description: string;
};

/** `a_product_has_at_most_12_images` of the database. */
const mostImages = 12;

const emptyProduct: Fields = {
  title: "",
  price: "",
  freight: "0.00",
  is_queue_goods: false,
  is_show: true,
  stock: "",
  images: "",
  description: "",
};

/** A product in the form. An empty stock means unlimited, and each line is an image. */
function fieldsOf({ title, price, freight, is_queue_goods, is_show, stock, images, description }: Admin["AdminProduct"]): Fields {
  return {
    title,
    price,
    freight,
    is_queue_goods,
    is_show,
    stock: stock === null ? "" : String(stock),
    images: images.join("\n"),
    description,
  };
}

function bodyOf<Given extends Partial<Fields>>({ stock, images, ...others }: Given) {
  return {
    ...others,
    ...(stock !== undefined && { stock: stock.trim() === "" ? null : Number(stock) }),
    ...(images !== undefined && { images: addressesIn(images) }),
  };
}

const errorsOf = ({ title, price, freight, stock, images }: Fields) => ({
  ...emptyTexts({ title }),
  ...wrongAmounts({ price, freight }),
  ...wrongCounts({ stock }),
  ...addressesIn(images)
    .map((image) => wrongAddresses({ images: image }))
    .find((errors) => errors.images),
});

function Form({ product, onClose }: { product?: Admin["AdminProduct"]; onClose: () => void }) {
  const { t } = useTranslation(["products", "common"]);
  const { admin } = useStore();
  const [saved] = useState(() => (product ? fieldsOf(product) : emptyProduct));
  const draft = useDraft<Fields>(`product ${product?.id ?? "new"}`, saved, errorsOf);
  const { form } = draft;
  const save = useAction((body: Fields, key) =>
    product
      ? admin.PUT("/adminapi/product/{id}", { params: { path: { id: product.id } }, body: bodyOf(draft.changes()), ...key })
      : admin.POST("/adminapi/product", { body: { ...bodyOf(body), title: body.title, price: body.price }, ...key }),
  );

  // Money is sent as text, so that no digit passes through a floating-point number.
  // No field normalizes an amount. The store rejects what it does not accept.
  const money = (field: "price" | "freight") =>
    ({ ...form.getInputProps(field), inputMode: "decimal", required: true, maxLength: 16, className: "figures" }) as const;

  return (
    <FormDrawer
      area="content"
      title={product ? t("edit", { title: product.title }) : t("add")}
      draft={draft}
      save={save}
      {...(!product && { added: t("added") })}
      onClose={onClose}
    >
      <TextInput {...form.getInputProps("title")} label={t("name")} required maxLength={200} data-autofocus />
      <SimpleGrid cols={2}>
        <TextInput {...money("price")} label={t("price")} />
        <TextInput {...money("freight")} label={t("freight")} />
      </SimpleGrid>
      <TextInput
        {...form.getInputProps("stock")}
        label={t("stock")}
        description={t("stockMeaning")}
        inputMode="numeric"
        maxLength={10}
        className="figures"
      />
      <PicturesInput
        value={form.values.images}
        error={form.errors.images}
        onChange={(value) => form.setFieldValue("images", value)}
        label={t("images")}
        description={t("imagesMeaning", { most: mostImages })}
        most={mostImages}
      />
      <Textarea {...form.getInputProps("description")} label={t("description")} autosize minRows={3} maxRows={10} maxLength={20_000} />
      <Switch
        {...form.getInputProps("is_queue_goods", { type: "checkbox" })}
        label={t("queueGoods")}
        description={t("queueGoodsMeaning")}
      />
      <Switch {...form.getInputProps("is_show", { type: "checkbox" })} label={t("onSale")} description={t("onSaleMeaning")} />
      {product && <ActionsOf type="product" id={product.id} />}
    </FormDrawer>
  );
}

/** Adds a product, or changes an existing one, which is loaded each time that it is opened. */
export function ProductForm({ id, onClose }: { id?: number; onClose: () => void }) {
  const { t } = useTranslation("common");
  const result = useAdmin("/adminapi/product/{id}", { params: { path: { id: id ?? 0 } } }, { enabled: id !== undefined, gcTime: 0 });
  if (id === undefined) return <Form onClose={onClose} />;
  if (result.data) return <Form product={result.data} onClose={onClose} />;
  return (
    <SideDrawer title={t("edit")} onClose={onClose}>
      <QueryResult of={result} lines={10}>
        {() => null}
      </QueryResult>
    </SideDrawer>
  );
}
