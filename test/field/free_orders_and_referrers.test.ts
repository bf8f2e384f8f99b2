import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "../api/client.ts";
import { as, buyAndSettle } from "../api/scenario.ts";

// Cases that people who run shops have reported in public trackers, tried on this store. Each test names its sources.

let admin: Account;
beforeAll(async () => {
  admin = await signUpAdmin("Field");
});

describe("an order of 0.00", () => {
  const place = async (buyer: Account) => {
    const product_id = await addProduct("Sample", "0.00", true);
    return as(buyer).post("/api/order", { items: [{ product_id, quantity: 1 }] });
  };

  // openfoodfoundation/openfoodnetwork#10787, PrestaShop/PrestaShop#16143, stephenmcd/cartridge#303
  it("is paid when it is placed, and can be shipped and received", async () => {
    const buyer = await signUp("Buyer");
    const placed = await place(buyer);
    expect(placed).toMatchObject({ status: 201, body: { state: "paid", pay_price: "0.00" } });
    const { id } = placed.body;
    expect((await as(admin).get(`/adminapi/order/${id}`)).body.pay_type).toBe("free");
    const parcel = { carrier: "sf", tracking_no: "SF1234567890123" };
    expect((await as(admin).put(`/adminapi/order/${id}/deliver`, parcel)).body.state).toBe("delivered");
    expect((await as(buyer).put(`/api/order/${id}/receive`)).body.state).toBe("received");
  });

  // coopcycle/coopcycle-web#1260, saleor/saleor#6211, OFFLINE-GmbH/oc-mall-plugin#1009, Altinn/app-frontend-react#2229
  it("asks no provider for a payment, and a second payment changes nothing", async () => {
    const buyer = await signUp("Buyer");
    const { id } = (await place(buyer)).body;
    expectProblem(
      await as(buyer).post(`/api/order/${id}/pay`, { provider: "local", method: "local" }),
      "order_already_paid",
    );
    expect((await as(admin).put(`/adminapi/order/${id}/pay`, { pay_ref: "cash" })).body).toMatchObject({
      state: "paid",
      pay_price: "0.00",
    });
    expect((await as(admin).get(`/adminapi/order/${id}`)).body.pay_type).toBe("free");
  });
});

describe("a referrer who was set by mistake", () => {
  // AffiliateWP/AffiliateWP#2061, #2753
  it("is corrected by an administrator, which is logged, and the next order pays the right one", async () => {
    const [right, wrong] = await Promise.all([signUp("Right"), signUp("Wrong")]);
    const goods = await addProduct("Goods of the field", "100.00", true);
    await Promise.all([right, wrong].map((earner) => buyAndSettle(earner, admin, goods)));
    const buyer = await signUp("Buyer", String(wrong.uid));
    const body = { spread_uid: right.uid, reason: "The wrong code was typed in" };
    expect((await as(admin).put(`/adminapi/user/${buyer.uid}/spread`, body)).status).toBe(200);
    expect(await buyAndSettle(buyer, admin, goods)).toMatchObject({ cycle: { earner_uid: right.uid, place: 1 } });
    const log = await as(admin).get(`/adminapi/action?function=set_spread&target_id=${buyer.uid}`);
    expect(log.body).toMatchObject({
      count: 1,
      list: [{ from: { spread_uid: wrong.uid }, to: { spread_uid: right.uid } }],
    });
  });

  // dubinc/dub#3925: no commission that was paid changes its owner.
  it("stays once an order was settled", async () => {
    const [referrer, other] = await Promise.all([signUp("Referrer"), signUp("Other")]);
    const goods = await addProduct("Goods of the field", "100.00", true);
    await buyAndSettle(referrer, admin, goods);
    const buyer = await signUp("Buyer", String(referrer.uid));
    await buyAndSettle(buyer, admin, goods);
    const body = { spread_uid: other.uid, reason: "The buyer wants another one" };
    expectProblem(await as(admin).put(`/adminapi/user/${buyer.uid}/spread`, body), "spread_decided");
  });
});
