import { type CartItem, parseItems, withChange, without, withUnits } from "../../../client/cart_items.ts";

/** The cart stays on this phone. */
const storageKey = "cart";

const keep = (items: CartItem[]) => wx.setStorageSync(storageKey, JSON.stringify(items));

export const cartItems = (): CartItem[] => parseItems(wx.getStorageSync<string>(storageKey) || null);

/** Adds units of a product. @returns whether there was room for them */
export function addToCart(product: { id: number; title: string; price: string }, units = 1): boolean {
  const items = withUnits(cartItems(), product, units);
  if (items) keep(items);
  return items !== undefined;
}

/** Changes the items of some products. */
export const changeCart = (ids: readonly number[], change: Partial<CartItem>) =>
  keep(withChange(cartItems(), ids, change));

/** Takes products out of the cart. */
export const removeFromCart = (ids: readonly number[]) => keep(without(cartItems(), ids));
