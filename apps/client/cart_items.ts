// The cart, which stays on the device (docs/decisions/0102). What it costs and whether it can be ordered is known to
// the store only.

/** A product in the cart, with the title and the price that the buyer has seen. */
export interface CartItem {
  product_id: number;
  quantity: number;
  title: string;
  price: string;
  /** Whether it is to be ordered next. */
  is_chosen: boolean;
}

/** The most items of an order. */
export const mostItems = 50;

/** The most units of an item. */
export const mostUnits = 9999;

function isItem(value: unknown): value is CartItem {
  const { product_id, quantity, title, price, is_chosen } = (value ?? {}) as Partial<Record<keyof CartItem, unknown>>;
  return (
    Number.isSafeInteger(product_id) &&
    Number.isSafeInteger(quantity) &&
    (quantity as number) >= 1 &&
    (quantity as number) <= mostUnits &&
    typeof title === "string" &&
    typeof price === "string" &&
    /^\d+\.\d{2}$/.test(price) &&
    typeof is_chosen === "boolean"
  );
}

/** Reads a stored cart. What is no item is left out. */
export function parseItems(text: string | null): CartItem[] {
  try {
    const values = JSON.parse(text ?? "[]") as unknown;
    return Array.isArray(values) ? values.filter(isItem).slice(0, mostItems) : [];
  } catch {
    return [];
  }
}

/** The cart with further units of a product, which come first. @returns undefined if there is no room for them */
export function withUnits(
  items: CartItem[],
  { id, title, price }: { id: number; title: string; price: string },
  units: number,
): CartItem[] | undefined {
  const present = items.find(({ product_id }) => product_id === id);
  const quantity = (present?.quantity ?? 0) + units;
  if (quantity > mostUnits || (!present && items.length >= mostItems)) return undefined;
  return [{ product_id: id, title, price, quantity, is_chosen: true }, ...items.filter((item) => item !== present)];
}

/** The cart with other items for some products. */
export const withChange = (items: CartItem[], ids: readonly number[], change: Partial<CartItem>): CartItem[] =>
  items.map((item) => (ids.includes(item.product_id) ? { ...item, ...change } : item));

/** The cart without some products. */
export const without = (items: CartItem[], ids: readonly number[]): CartItem[] =>
  items.filter(({ product_id }) => !ids.includes(product_id));
