import { expect, vi } from "vitest";
import { type Account, call, type Reply } from "./client.ts";

/** Calls the API with the token of an account. */
export function as({ token }: Account) {
  const send =
    (method: string) =>
    (path: string, json?: unknown): Promise<Reply> =>
      call(method, path, { token, json });
  return { get: send("GET"), post: send("POST"), put: send("PUT"), delete: send("DELETE") };
}

/** Places an order of one product. @returns the order */
export async function place(buyer: Account, product_id: number, quantity = 1) {
  return (await as(buyer).post("/api/order", { items: [{ product_id, quantity }] })).body;
}

/** Places an order and pays it offline. @returns the order */
export async function buy(buyer: Account, admin: Account, product_id: number, quantity = 1) {
  const { id } = await place(buyer, product_id, quantity);
  return (await as(admin).put(`/adminapi/order/${id}/pay`)).body;
}

/** Buys queue goods and waits until the settlement, which runs in the background, is booked. @returns the settlement */
export async function buyAndSettle(buyer: Account, admin: Account, product_id: number, quantity = 1) {
  const { id } = await buy(buyer, admin, product_id, quantity);
  return vi.waitFor(async () => {
    const { body } = await as(admin).get(`/adminapi/order/${id}/settlement`);
    expect(body.state).toBe("settled");
    return body;
  });
}
