import { useSyncExternalStore } from "react";
import { type CartItem, parseItems, withChange, without, withUnits } from "../../../client/cart_items.ts";

/** The cart stays in this browser. */
const storageKey = "store-h5-cart";

const listeners = new Set<() => void>();
let read: { text: string | null; items: CartItem[] } = { text: null, items: [] };

/** What is in the cart, also by another window. */
export function cartItems(): CartItem[] {
  const text = localStorage.getItem(storageKey);
  if (text !== read.text) read = { text, items: parseItems(text) };
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
export function addToCart(product: { id: number; title: string; price: string }, units = 1): boolean {
  const items = withUnits(cartItems(), product, units);
  if (items) become(items);
  return items !== undefined;
}

/** Changes the items of some products. */
export function changeCart(ids: readonly number[], change: Partial<CartItem>): void {
  become(withChange(cartItems(), ids, change));
}

/** Takes products out of the cart. */
export function removeFromCart(ids: readonly number[]): void {
  become(without(cartItems(), ids));
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
