import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buy } from "./scenario.ts";

const ADDRESS = { name: "Returns", phone: "0755 2660 0000", region: ["广东省", "深圳市"], street: "Gate 4" };
let admin: Account;
let buyer: Account;
let neighbour: Account;
let product: number;

beforeAll(async () => {
  [admin, buyer, neighbour] = await Promise.all([
    signUpAdmin("Return desk"),
    signUp("Sender of returns"),
    signUp("Neighbour of returns"),
  ]);
  product = await addProduct("Returned jacket", "100.00", false);
  expect((await as(admin).put("/adminapi/system/settings", { return_address: ADDRESS })).body.return_address).toEqual(
    ADDRESS,
  );
});

/** A shipped order with an open refund request. */
async function requested(): Promise<number> {
  const { id } = await buy(buyer, admin, product);
  expect((await as(admin).put(`/adminapi/order/${id}/deliver`)).status).toBe(200);
  expect((await as(buyer).post(`/api/order/${id}/refund`, { reason: "Too small" })).status).toBe(201);
  return id;
}
const ask = (id: number) => as(admin).put(`/adminapi/order/${id}/refund/return`);
const receive = (id: number) => as(admin).put(`/adminapi/order/${id}/refund/return/receive`);
const send = (id: number, json: unknown, who = buyer) => as(who).put(`/api/order/${id}/refund/return`, json);
const PARCEL = { carrier: "SF", tracking_no: "R1" };

describe("the return of goods", () => {
  it("is asked for, sent, corrected, received, and then refunded", async () => {
    const id = await requested();
    expect((await ask(id)).body).toMatchObject({
      state: "requested",
      goods_return: { state: "asked", address: ADDRESS, tracking_no: null },
    });
    const [shown] = (await as(buyer).get(`/api/order/${id}/refund`)).body.list;
    expect(shown.goods_return).toMatchObject({ state: "asked", address: ADDRESS });
    expect((await send(id, PARCEL)).body.goods_return).toMatchObject({
      state: "sent",
      carrier_name: "SF Express",
      tracking_no: "R1",
    });
    const corrected = await send(id, { carrier: "Pony Post", tracking_no: "R2" });
    expect(corrected.body.goods_return).toMatchObject({
      carrier: "Pony Post",
      carrier_code: null,
      tracking_no: "R2",
      tracking_url: null,
    });
    expect((await receive(id)).body.goods_return).toMatchObject({ state: "received", tracking_no: "R2" });
    expectProblem(await send(id, PARCEL), "refund_state_conflict");
    expect((await as(admin).put(`/adminapi/order/${id}/refund`)).body).toMatchObject({
      state: "refunded",
      amount: "100.00",
      goods_return: { state: "received", tracking_no: "R2" },
    });
    expectProblem(await receive(id), "refund_not_found");
    const told = (await as(admin).get(`/adminapi/event?order_id=${id}&limit=100`)).body.list as { type: string }[];
    expect(told.map(({ type }) => type).filter((type) => type.startsWith("refund."))).toEqual([
      "refund.refunded",
      "refund.return_received",
      "refund.return_sent",
      "refund.return_requested",
      "refund.requested",
    ]);
  });

  it("is shown in the list of orders, and waits for the store when the goods have arrived", async () => {
    const id = await requested();
    const listed = async (query: string) =>
      (
        (await as(admin).get(`/adminapi/order?uid=${buyer.uid}&${query}`)).body.list as {
          id: number;
          return_state: string;
        }[]
      ).find((order) => order.id === id);
    expect((await listed("waiting=refund"))?.return_state).toBeNull();
    await ask(id);
    expect(await listed("waiting=refund")).toBeUndefined();
    expect((await listed("refund_status=1"))?.return_state).toBe("asked");
    await send(id, PARCEL);
    expect((await listed("refund_status=1"))?.return_state).toBe("sent");
    await receive(id);
    expect((await listed("waiting=refund"))?.return_state).toBe("received");
  });

  it("can be refunded or refused at any time", async () => {
    const [refunded, refused] = [await requested(), await requested()];
    await ask(refunded);
    await ask(refused);
    await send(refused, PARCEL);
    expect((await as(admin).put(`/adminapi/order/${refunded}/refund`)).body).toMatchObject({
      state: "refunded",
      goods_return: { state: "asked" },
    });
    expect((await as(admin).put(`/adminapi/order/${refused}/refund/refuse`)).body).toMatchObject({
      state: "refused",
      goods_return: { state: "sent" },
    });
    expectProblem(await send(refused, PARCEL), "refund_not_found");
  });

  it("is asked for only of a shipped order with an open request", async () => {
    const { id } = await buy(buyer, admin, product);
    expectProblem(await ask(id), "refund_not_found");
    await as(buyer).post(`/api/order/${id}/refund`);
    expectProblem(await ask(id), "order_state_conflict");
    expectProblem(await receive(id), "refund_state_conflict");
    expectProblem(await send(id, PARCEL), "refund_state_conflict");
  });

  it.each([
    ["no number", { carrier: "SF" }, "/tracking_no"],
    ["an invisible number", { carrier: "SF", tracking_no: " " }, "/tracking_no"],
    ["a number that is too long", { carrier: "SF", tracking_no: "1".repeat(65) }, "/tracking_no"],
    ["a number of another type", { carrier: "SF", tracking_no: 1 }, "/tracking_no"],
    ["no carrier", { tracking_no: "R1" }, "/carrier"],
  ])("rejects a parcel with %s, and names the field", async (_name, json, pointer) => {
    const id = await requested();
    await ask(id);
    const reply = await send(id, json);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors[0].pointer).toBe(pointer);
    expectProblem(await send(id, PARCEL, neighbour), "order_not_found");
  });
});

describe("the return address", () => {
  const put = (return_address: unknown) => as(admin).put("/adminapi/system/settings", { return_address });

  it.each([
    ["without a phone number", { ...ADDRESS, phone: undefined }],
    ["with a street that is too long", { ...ADDRESS, street: "x".repeat(201) }],
    ["without a region", { ...ADDRESS, region: [] }],
    ["that is a text", "Gate 4"],
    ["that is null", null],
  ])("%s is rejected", async (_name, address) => {
    expectProblem(await put(address), "invalid_argument");
  });

  it("is removed by an empty object, and a return that was asked for keeps it", async () => {
    const id = await requested();
    await ask(id);
    const asked = async () =>
      (await as(buyer).get(`/api/order/${id}/refund`)).body.list[0].goods_return.address as object;
    const address = await asked();
    expect(address).not.toBeNull();
    // Other files give the store an address, too, perhaps between two requests of this one.
    await expect
      .poll(async () => {
        const another = await requested();
        expect((await put({})).body.return_address).toBeNull();
        return (await ask(another)).body.code as string;
      })
      .toBe("refund_state_conflict");
    expect(await asked()).toEqual(address);
    expect((await put(ADDRESS)).status).toBe(200);
  });
});
