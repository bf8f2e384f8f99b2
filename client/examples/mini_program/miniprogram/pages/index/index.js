const { store } = getApp();

Page({
  data: { products: [], buying: null, message: "" },

  /** The idempotency keys of orders that were sent and not yet answered, by product. */
  keys: {},

  async onLoad() {
    await this.show(async () => {
      const [products] = await Promise.all([store.products(), store.session()]);
      this.setData({ products });
    });
  },

  async onPullDownRefresh() {
    await this.onLoad();
    wx.stopPullDownRefresh();
  },

  /** Orders one unit of the product and pays it in WeChat. A second tap waits; after a lost answer, it repeats the same order. */
  async buy({ currentTarget }) {
    const { id } = currentTarget.dataset;
    if (this.data.buying) return;
    this.setData({ buying: id });
    await this.show(async () => {
      this.keys[id] = this.keys[id] || `${Date.now()}-${Math.random().toString(36).slice(2)}`;
      const order = await store.order(id, this.keys[id]);
      this.keys[id] = null;
      const paid = await store.pay(order.id);
      this.setData({ message: paid ? `订单 ${order.order_no} 已支付` : `订单 ${order.order_no} 待支付` });
    });
    this.setData({ buying: null });
  },

  /** WeChat waits up to three seconds for the promise. Without a session, it shares the path alone. */
  onShareAppMessage() {
    const path = "/pages/index/index";
    return {
      path,
      promise: store.session().then(
        ({ uid }) => ({ path: `${path}?spread=${uid}` }),
        () => ({ path }),
      ),
    };
  },

  /** Runs an action and shows its error. Errors of the store have a text for the user. */
  async show(action) {
    try {
      await action();
    } catch (error) {
      this.setData({ message: error.problem ? error.problem.detail : error.message });
    }
  },
});
