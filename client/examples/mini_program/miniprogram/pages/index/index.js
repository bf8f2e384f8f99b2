const { store } = getApp();

Page({
  data: { uid: null, products: [], message: "" },

  async onLoad() {
    await this.show(async () => {
      const [{ uid }, products] = await Promise.all([store.session(), store.products()]);
      this.setData({ uid, products });
    });
  },

  async onPullDownRefresh() {
    await this.onLoad();
    wx.stopPullDownRefresh();
  },

  /** Orders one unit of the product and pays it in WeChat. */
  async buy({ currentTarget }) {
    await this.show(async () => {
      const order = await store.order(currentTarget.dataset.id);
      const paid = await store.pay(order.id);
      this.setData({ message: paid ? `订单 ${order.order_no} 已支付` : `订单 ${order.order_no} 待支付` });
    });
  },

  onShareAppMessage() {
    return { path: `/pages/index/index?spread=${this.data.uid}` };
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
