/** The goods of the store. */
export const products = {
  title: "Products",
  add: "Add a product",
  edit: "Edit {{title}}",
  search: "Search",
  searchHint: "Part of the title",
  name: "Title",
  price: "Price",
  freight: "Freight",
  queueGoods: "Queue goods",
  queueGoodsMeaning: "Orders of this product pay commission and points. An order keeps the flag as it was when the order was placed.",
  onSale: "On sale",
  offSale: "Not on sale",
  onSaleMeaning: "Members can see and order this product.",
  changed: "Last changed",
  empty: "No products found.",
  added: "Product added.",
};
