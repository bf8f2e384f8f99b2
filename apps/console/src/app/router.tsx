import { createHashRouter } from "react-router";
import { Loading } from "../components/loading.tsx";
import { loadWithTexts as page } from "../i18n/index.ts";
import { OverviewPage } from "../pages/overview/overview_page.tsx";
import { ErrorPage } from "./error_page.tsx";
import { HomePage } from "./home_page.tsx";
import { NotFoundPage } from "./not_found_page.tsx";
import { RecordsOnly } from "./records_only.tsx";
import { Shell } from "./shell.tsx";

/** Every page but the first is a separate file, loaded when it is first opened. */
export const router = createHashRouter([
  {
    element: <Shell />,
    errorElement: <ErrorPage />,
    children: [
      {
        errorElement: <ErrorPage />,
        hydrateFallbackElement: <Loading height={200} />,
        children: [
          { index: true, element: <HomePage /> },
          {
            element: <RecordsOnly />,
            children: [
              { path: "overview", element: <OverviewPage /> },
              { path: "reports", lazy: page(() => import("../pages/reports/reports_page.tsx")) },
              { path: "users", lazy: page(() => import("../pages/members/members_page.tsx")) },
              { path: "users/:uid", lazy: page(() => import("../pages/members/member_page.tsx")) },
              { path: "orders", lazy: page(() => import("../pages/orders/orders_page.tsx")) },
              { path: "orders/:id", lazy: page(() => import("../pages/orders/order_page.tsx")) },
              { path: "shipping", lazy: page(() => import("../pages/shipping/shipping_page.tsx")) },
              { path: "carriers", lazy: page(() => import("../pages/shipping/carriers_page.tsx")) },
              { path: "outbox", lazy: page(() => import("../pages/outbox/outbox_page.tsx")) },
              { path: "payments", lazy: page(() => import("../pages/payments/payments_page.tsx")) },
              {
                path: "person-requests",
                lazy: page(() => import("../pages/person_requests/person_requests_page.tsx")),
              },
              { path: "level-review", lazy: page(() => import("../pages/levels/review_page.tsx")) },
              { path: "bill", lazy: page(() => import("../pages/bill/bill_page.tsx")) },
              { path: "adjustments", lazy: page(() => import("../pages/adjustments/adjustments_page.tsx")) },
              { path: "withdrawals", lazy: page(() => import("../pages/withdrawals/withdrawals_page.tsx")) },
              { path: "withdrawals/:id", lazy: page(() => import("../pages/withdrawals/withdrawal_page.tsx")) },
              { path: "signals", lazy: page(() => import("../pages/signals/signals_page.tsx")) },
              { path: "network", lazy: page(() => import("../pages/network/network_page.tsx")) },
              { path: "finance", lazy: page(() => import("../pages/finance/finance_page.tsx")) },
              { path: "debts", lazy: page(() => import("../pages/withdrawals/debts_page.tsx")) },
              { path: "plan", lazy: page(() => import("../pages/plans/plan_page.tsx")) },
              { path: "levels", lazy: page(() => import("../pages/levels/levels_page.tsx")) },
              { path: "release-log", lazy: page(() => import("../pages/release/release_page.tsx")) },
              { path: "schedule", lazy: page(() => import("../pages/schedule/schedule_page.tsx")) },
              { path: "jobs", lazy: page(() => import("../pages/settlement/settlement_jobs_page.tsx")) },
              { path: "check", lazy: page(() => import("../pages/verification/verification_page.tsx")) },
              { path: "administrators", lazy: page(() => import("../pages/administrators/administrators_page.tsx")) },
              { path: "machine-keys", lazy: page(() => import("../pages/machine_keys/machine_keys_page.tsx")) },
              { path: "webhooks", lazy: page(() => import("../pages/webhooks/webhooks_page.tsx")) },
              { path: "webhooks/:id", lazy: page(() => import("../pages/webhooks/webhook_page.tsx")) },
              { path: "activity", lazy: page(() => import("../pages/actions/actions_page.tsx")) },
              { path: "notices", lazy: page(() => import("../pages/notices/notices_page.tsx")) },
              { path: "settings/messages", lazy: page(() => import("../pages/notices/messages_page.tsx")) },
              { path: "settings", lazy: page(() => import("../pages/settings/settings_page.tsx")) },
            ],
          },
          { path: "products", lazy: page(() => import("../pages/products/products_page.tsx")) },
          { path: "product-categories", lazy: page(() => import("../pages/products/categories_page.tsx")) },
          { path: "first-page", lazy: page(() => import("../pages/first_page/first_page.tsx")) },
          { path: "articles", lazy: page(() => import("../pages/articles/articles_page.tsx")) },
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
]);
