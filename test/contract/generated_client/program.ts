// Compiled and run by generated_client.ci.test.ts, beside the clients that it generates: `./api` and `./adminapi`.
import * as adminapi from "./adminapi";
import { createClient as createAdminClient } from "./adminapi/client";
import * as api from "./api";
import { createClient } from "./api/client";

const [baseUrl, memberToken, adminToken, productId] = process.argv.slice(2) as [string, string, string, string];
const client = createClient({ baseUrl, auth: memberToken });
const adminClient = createAdminClient({ baseUrl, auth: adminToken });

const me = await api.getUser({ client, throwOnError: true });
const referrer: number | null = me.data.spread_uid;

const order = await api.postOrder({
  client,
  throwOnError: true,
  body: { items: [{ product_id: Number(productId), quantity: 1 }] },
});
const paid = await adminapi.putOrderIdPay({ client: adminClient, throwOnError: true, path: { id: order.data.id } });
const page: adminapi.OrderPage = (
  await adminapi.getOrderId({ client: adminClient, throwOnError: true, path: { id: order.data.id } })
).data;
const member: adminapi.MemberPage = (
  await adminapi.getUserUid({ client: adminClient, throwOnError: true, path: { uid: me.data.uid } })
).data;
const plan: adminapi.CommissionPlan = (
  await adminapi.getHjfBrokerageConfig({ client: adminClient, throwOnError: true })
).data;
const metadata: adminapi.AdminSystemMetadata = (
  await adminapi.getSystemMetadata({ client: adminClient, throwOnError: true })
).data;

const rejected = await api.postOrder({ client, body: { items: [] } });
const problem: api.Problem | undefined = rejected.error;

console.log(
  JSON.stringify({
    referrer,
    state: paid.data.state,
    of_page: [page.order_no, page.refunds.length],
    of_member: [member.nickname, member.referrer],
    of_plan: plan.versions.length,
    of_metadata: [metadata.api_version, metadata.status],
    rejected: problem?.code,
  }),
);
