import { useSyncExternalStore } from "react";

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

/** The cart stays in this browser (docs/decisions/0102). What it costs and whether it can be ordered is known to the store only. */
const storageKey = "store-h5-cart";

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

function parse(text: string | null): CartItem[] {
  try {
    const values = JSON.parse(text ?? "[]") as unknown;
    return Array.isArray(values) ? values.filter(isItem).slice(0, mostItems) : [];
  } catch {
    return [];
  }
}

const listeners = new Set<() => void>();
let read: { text: string | null; items: CartItem[] } = { text: null, items: [] };

/** What is in the cart, also by another window. */
export function cartItems(): CartItem[] {
  const text = localStorage.getItem(storageKey);
  if (text !== read.text) read = { text, items: parse(text) };
  return read.items;
}

function become(items: CartItem[]): void {
  if (items.length > 0) localStorage.setItem(storageKey, JSON.stringify(items));
  else localStorage.removeItem(storageKey);
  for (const listener of listeners) listener();
}

addEventListener("storage", ({ key }) => {
  if (key === storageKey || key === null) for (const listener of listeners) listener();
});

/** Adds units of a product. @returns whether there was room for them */
export function addToCart({ id, title, price }: { id: number; title: string; price: string }, units = 1): boolean {
  const items = cartItems();
  const present = items.find(({ product_id }) => product_id === id);
  const quantity = (present?.quantity ?? 0) + units;
  if (quantity > mostUnits || (!present && items.length >= mostItems)) return false;
  const added = { product_id: id, title, price, quantity, is_chosen: true };
  become([added, ...items.filter((item) => item !== present)]);
  return true;
}

/** Changes the items of some products. */
export function changeCart(ids: readonly number[], change: Partial<CartItem>): void {
  become(cartItems().map((item) => (ids.includes(item.product_id) ? { ...item, ...change } : item)));
}

/** Takes products out of the cart. */
export function removeFromCart(ids: readonly number[]): void {
  become(cartItems().filter(({ product_id }) => !ids.includes(product_id)));
}

/** Forgets the cart, so that whoever uses this browser next does not see it. */
export function emptyCart(): void {
  become([]);
}

/** What is in the cart. */
export function useCart(): CartItem[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, cartItems);
}
