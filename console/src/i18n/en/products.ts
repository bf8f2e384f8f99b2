/** The goods of the store. */
export const products = {
  title: "Products",
  add: "Add a product",
  edit: "Edit {{title}}",
  search: "Search",
  searchHint: "A part of the title",
  name: "Title",
  price: "Price",
  freight: "Freight",
  queueGoods: "Queue goods",
  queueGoodsMeaning: "Orders of it are reported orders: they pay commission and points. The flag is copied onto an order when it is made; changing it does not touch orders there are.",
  onSale: "On sale",
  offSale: "Not on sale",
  onSaleMeaning: "Members see it and can order it.",
  changed: "Last changed",
  empty: "No product matches.",
  added: "The product is added.",
};
