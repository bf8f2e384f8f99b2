import type { Api } from "../../../../client/index.ts";
import { numbered } from "../../lists.ts";
import { definePage, type Entered, type Tap } from "../../page.ts";
import { cartItems } from "../../store/cart.ts";
import { productRow } from "../../store/products.ts";
import { ask, shop } from "../../store/store.ts";
import { fill, texts } from "../../texts/texts.ts";

const limit = 20;

definePage(
  {
    title: texts.products.title,
    texts: ["products", "cart"],
    data: {
      siteName: "",
      banners: [] as Api["FirstPage"]["banners"],
      featured: [] as ReturnType<typeof productRow>[],
      categories: [] as Api["FirstPage"]["categories"],
      /** The chosen category; 0 is none. */
      category: 0,
      search: "",
      inCart: 0,
      none: texts.products.empty,
    },

    async load() {
      const [{ banners, featured, categories }, { site_name }] = await Promise.all([
        ask(() => shop.GET("/api/first_page")),
        ask(() => shop.GET("/api/system/metadata")),
      ]);
      return {
        banners,
        categories,
        featured: featured.map(productRow),
        siteName: site_name,
        inCart: cartItems().length,
      };
    },

    async list(next) {
      const { search, category } = this.data;
      const page = Number(next ?? 1);
      const query = { page, limit, ...(search && { search }), ...(category && { category_id: category }) };
      return numbered(await ask(() => shop.GET("/api/product", { params: { query } })), page, limit, productRow);
    },

    share() {
      return { title: this.data.siteName, path: "/pages/shop/shop" };
    },
  },
  {
    search({ detail }: Entered<string>) {
      const search = detail.value.trim();
      this.setData({ search, none: search ? fill(texts.products.noneFound, { search }) : texts.products.empty });
      return this.refreshList();
    },

    choose({ currentTarget }: Tap<{ category: number }>) {
      this.setData({ category: currentTarget.dataset.category });
      return this.refreshList();
    },
  },
);
