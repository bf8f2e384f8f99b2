import { useTranslation } from "react-i18next";
import { mostItems, mostUnits } from "../../../../client/cart_items.ts";
import type { Api } from "../../../../client/index.ts";
import { formatNumber } from "../../components/figures.tsx";
import { notify } from "../../components/notices.tsx";
import { addToCart } from "../../store/cart.ts";

/** Puts one unit of a product into the cart, and says so. */
export function useAddToCart(product: Pick<Api["Product"], "id" | "title" | "price">): () => void {
  const { t } = useTranslation("cart");
  return () =>
    notify(
      addToCart(product) ? t("added") : t("full", { most: formatNumber(mostItems), units: formatNumber(mostUnits) }),
    );
}
