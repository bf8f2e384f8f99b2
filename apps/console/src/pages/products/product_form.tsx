import { Button, Group, Select, SimpleGrid, Switch, TextInput } from "@mantine/core";
import i18next from "i18next";
import { Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearchParams } from "react-router";
import type { Admin } from "../../../../client/index.ts";
import { emptyTexts, wrongAddresses, wrongAmounts, wrongCounts } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { DescriptionPreview, PreviewButton } from "../../components/phone_preview.tsx";
import { PicturesInput } from "../../components/pictures_input.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { RichTextInput } from "../../components/rich_text_input.tsx";
import { DeleteButton } from "../articles/delete_button.tsx";
import { SideDrawer } from "../../components/side_drawer.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { addressesIn } from "../../components/use_picture_uploads.ts";
import { useHasArea } from "../../session/own_areas.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { ActionsOf } from "../actions/action_list.tsx";
import { useChoices } from "../settings/use_choice_words.ts";
import { useProductCategories } from "./use_product_categories.ts";

type Fields = {
  title: string;
  price: string;
  freight: string;
  is_queue_goods: boolean;
  is_show: boolean;
  stock: string;
  low_stock: string;
  category_id: string;
  poster_design: string;
  images: string;
  description: string;
};

/** `a_product_has_at_most_12_images` of the database. */
const mostImages = 12;

const longestTitle = 200;

const emptyProduct: Fields = {
  title: "",
  price: "",
  freight: "0.00",
  is_queue_goods: false,
  is_show: true,
  stock: "",
  low_stock: "0",
  category_id: "",
  poster_design: "",
  images: "",
  description: "",
};

/** A product in the form. An empty stock means unlimited, and each line is an image. */
function fieldsOf(product: Admin["AdminProduct"]): Fields {
  const {
    title,
    price,
    freight,
    is_queue_goods,
    is_show,
    stock,
    low_stock,
    category_id,
    poster_design,
    images,
    description,
  } = product;
  return {
    title,
    price,
    freight,
    is_queue_goods,
    is_show,
    stock: stock === null ? "" : String(stock),
    low_stock: String(low_stock),
    category_id: category_id === null ? "" : String(category_id),
    poster_design: poster_design ?? "",
    images: images.join("\n"),
    description,
  };
}

function bodyOf<Given extends Partial<Fields>>({
  stock,
  low_stock,
  category_id,
  poster_design,
  images,
  ...others
}: Given) {
  return {
    ...others,
    ...(stock !== undefined && { stock: stock.trim() === "" ? null : Number(stock) }),
    ...(low_stock !== undefined && { low_stock: Number(low_stock) }),
    ...(category_id !== undefined && { category_id: category_id ? Number(category_id) : null }),
    ...(poster_design !== undefined && {
      poster_design: (poster_design || null) as Admin["Settings"]["poster_design"] | null,
    }),
    ...(images !== undefined && { images: addressesIn(images) }),
  };
}

const errorsOf = ({ title, price, freight, stock, low_stock, images }: Fields) => ({
  ...emptyTexts({ title }),
  ...wrongAmounts({ price, freight }),
  ...wrongCounts({ stock, low_stock }),
  ...addressesIn(images)
    .map((image) => wrongAddresses({ images: image }))
    .find((errors) => errors.images),
});

interface FormProps {
  /** The product that is changed; undefined for a new one. */
  product?: Admin["AdminProduct"];
  /** The product of which the new one is a copy. */
  original?: Admin["AdminProduct"];
  onClose: () => void;
}

/** A copy is not on sale before somebody has looked at it. */
const copyOf = (original: Admin["AdminProduct"]): Fields => ({
  ...fieldsOf(original),
  title: i18next.t("products:copyOf", { title: original.title }).slice(0, longestTitle),
  is_show: false,
});

/** Opens the form of a new product with what this one has. */
function DuplicateButton({ id }: { id: number }) {
  const { t } = useTranslation("products");
  const [parameters] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const next = new URLSearchParams(parameters);
  next.set("product", `copy-${id}`);
  return (
    <Button
      component={Link}
      to={{ search: next.toString() }}
      replace
      state={state}
      variant="default"
      leftSection={<Copy size={16} aria-hidden />}
    >
      {t("duplicate")}
    </Button>
  );
}

function Form({ product, original, onClose }: FormProps) {
  const { t } = useTranslation(["products", "common"]);
  const { admin } = useStore();
  const categories = useProductCategories();
  const designs = useChoices("poster_design");
  const changesContent = useHasArea("content");
  const [saved] = useState(() => (product ? fieldsOf(product) : original ? copyOf(original) : emptyProduct));
  const draft = useDraft<Fields>(
    `product ${product?.id ?? (original ? `copy ${original.id}` : "new")}`,
    saved,
    errorsOf,
  );
  const { form } = draft;
  const save = useAction((body: Fields, key) =>
    product
      ? admin.PUT("/adminapi/product/{id}", {
          params: { path: { id: product.id } },
          body: bodyOf(draft.changes()),
          ...key,
        })
      : admin.POST("/adminapi/product", { body: { ...bodyOf(body), title: body.title, price: body.price }, ...key }),
  );

  // Money is sent as text, so that no digit passes through a floating-point number.
  // No field normalizes an amount. The store rejects what it does not accept.
  const money = (field: "price" | "freight") =>
    ({
      ...form.getInputProps(field),
      inputMode: "decimal",
      required: true,
      maxLength: 16,
      className: "figures",
    }) as const;

  return (
    <FormDrawer
      area="content"
      title={product ? t("edit", { title: product.title }) : t("add")}
      draft={draft}
      save={save}
      {...(!product && { added: t("added") })}
      onClose={onClose}
    >
      <TextInput {...form.getInputProps("title")} label={t("name")} required maxLength={longestTitle} data-autofocus />
      <Select
        {...form.getInputProps("category_id")}
        label={t("category")}
        data={categories}
        clearable
        clearButtonProps={{ "aria-label": t("common:clear") }}
      />
      <SimpleGrid cols={2}>
        <TextInput {...money("price")} label={t("price")} />
        <TextInput {...money("freight")} label={t("freight")} />
      </SimpleGrid>
      <SimpleGrid cols={2}>
        <TextInput
          {...form.getInputProps("stock")}
          label={t("stock")}
          description={t("stockMeaning")}
          inputMode="numeric"
          maxLength={10}
          className="figures"
        />
        <TextInput
          {...form.getInputProps("low_stock")}
          label={t("lowStock")}
          description={t("lowStockMeaning")}
          inputMode="numeric"
          maxLength={9}
          className="figures"
        />
      </SimpleGrid>
      <Switch
        {...form.getInputProps("is_queue_goods", { type: "checkbox" })}
        label={t("queueGoods")}
        description={t("queueGoodsMeaning")}
      />
      <Switch
        {...form.getInputProps("is_show", { type: "checkbox" })}
        label={t("onSale")}
        description={t("onSaleMeaning")}
      />
      <PicturesInput
        value={form.values.images}
        error={form.errors.images}
        onChange={(value) => form.setFieldValue("images", value)}
        label={t("images")}
        description={t("imagesMeaning", { most: mostImages })}
        most={mostImages}
      />
      <RichTextInput
        label={t("description")}
        value={form.values.description}
        error={form.errors.description}
        onChange={(value) => form.setFieldValue("description", value)}
      />
      <Select
        {...form.getInputProps("poster_design")}
        label={t("posterDesign")}
        description={t("posterDesignMeaning")}
        data={designs}
        clearable
        clearButtonProps={{ "aria-label": t("common:clear") }}
      />
      <PreviewButton>
        <DescriptionPreview title={t("description")} content={form.values.description} />
      </PreviewButton>
      {product && changesContent && (
        <Group>
          <DuplicateButton id={product.id} />
          <DeleteButton
            title={product.title}
            meaning={t("removeMeaning")}
            send={(key) =>
              admin.DELETE("/adminapi/product/{id}", { params: { path: { id: product.id } }, body: {}, ...key })
            }
            onDone={onClose}
          />
        </Group>
      )}
      {product && <ActionsOf type="product" id={product.id} />}
    </FormDrawer>
  );
}

/**
 * Adds a product, also as a copy of another one, or changes an existing one. What exists is loaded each time that it is
 * opened.
 */
export function ProductForm({ opened, onClose }: { opened: string; onClose: () => void }) {
  const { t } = useTranslation("common");
  const isNew = opened === "new";
  const isCopy = opened.startsWith("copy-");
  const id = Number(opened.replace("copy-", "")) || 0;
  const result = useAdmin("/adminapi/product/{id}", { params: { path: { id } } }, { enabled: !isNew, gcTime: 0 });
  if (isNew) return <Form onClose={onClose} />;
  if (result.data)
    return <Form {...(isCopy ? { original: result.data } : { product: result.data })} onClose={onClose} />;
  return (
    <SideDrawer title={t("edit")} onClose={onClose}>
      <QueryResult of={result} lines={10}>
        {() => null}
      </QueryResult>
    </SideDrawer>
  );
}
