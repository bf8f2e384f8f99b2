import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { typingPause } from "../../components/filter_bar.tsx";
import { Pictured } from "../../components/thumbnail.tsx";
import { useAdmin } from "../../store/store.ts";

export type ProductReference = Admin["ProductReference"];

interface ProductPickerProps {
  label: string;
  description?: string;
  value: ProductReference | null;
  onChange: (product: ProductReference | null) => void;
}

/** Chooses a product on sale by a part of its title. */
export function ProductPicker({ label, description, value, onChange }: ProductPickerProps) {
  const { t } = useTranslation(["first_page", "common"]);
  const [typed, setTyped] = useState(value?.title ?? "");
  const [search] = useDebouncedValue(typed.trim(), typingPause);
  const found = useAdmin(
    "/adminapi/product",
    // The title of the chosen product is not a search.
    {
      params: {
        query: { is_show: true, limit: 20, ...(search && search !== value?.title && { search: search.slice(0, 64) }) },
      },
    },
    { placeholderData: keepPreviousData },
  );
  const products = (found.data?.list ?? []).map(({ id, title, images, is_show }) => ({
    id,
    title,
    image: images[0] ?? null,
    is_show,
  }));
  const offered = value && !products.some(({ id }) => id === value.id) ? [value, ...products] : products;
  return (
    <Select
      label={label}
      description={description}
      placeholder={t("choose")}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("common:clear") }}
      nothingFoundMessage={t("nothingFound")}
      // The store has searched.
      filter={({ options }) => options}
      data={offered.map(({ id, title }) => ({ value: String(id), label: title }))}
      renderOption={({ option }) => (
        <Pictured address={offered.find(({ id }) => String(id) === option.value)?.image}>{option.label}</Pictured>
      )}
      value={value && String(value.id)}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => onChange(offered.find((product) => String(product.id) === id) ?? null)}
    />
  );
}
