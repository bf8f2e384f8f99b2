import { createHashRouter } from "react-router";
import { load } from "../../../web/load_page.ts";
import { Loading } from "../components/loading.tsx";
import { ErrorPage } from "./error_page.tsx";
import { HomePage } from "./home_page.tsx";
import { NotFoundPage } from "./not_found_page.tsx";
import { RecordsOnly } from "./records_only.tsx";
import { Shell } from "./shell.tsx";

/** Every page is a separate file, loaded when it is first opened. */
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
              { path: "overview", lazy: load(() => import("../pages/overview/overview_page.tsx")) },
              { path: "users", lazy: load(() => import("../pages/members/members_page.tsx")) },
              { path: "users/:uid", lazy: load(() => import("../pages/members/member_page.tsx")) },
              { path: "orders", lazy: load(() => import("../pages/orders/orders_page.tsx")) },
              { path: "orders/:id", lazy: load(() => import("../pages/orders/order_page.tsx")) },
              { path: "outbox", lazy: load(() => import("../pages/outbox/outbox_page.tsx")) },
              { path: "payments", lazy: load(() => import("../pages/payments/payments_page.tsx")) },
              { path: "level-review", lazy: load(() => import("../pages/levels/review_page.tsx")) },
              { path: "adjustments", lazy: load(() => import("../pages/adjustments/adjustments_page.tsx")) },
              { path: "withdrawals", lazy: load(() => import("../pages/withdrawals/withdrawals_page.tsx")) },
              { path: "withdrawals/:id", lazy: load(() => import("../pages/withdrawals/withdrawal_page.tsx")) },
              { path: "signals", lazy: load(() => import("../pages/signals/signals_page.tsx")) },
              { path: "finance", lazy: load(() => import("../pages/finance/finance_page.tsx")) },
              { path: "debts", lazy: load(() => import("../pages/withdrawals/debts_page.tsx")) },
              { path: "plan", lazy: load(() => import("../pages/plans/plan_page.tsx")) },
              { path: "levels", lazy: load(() => import("../pages/levels/levels_page.tsx")) },
              { path: "release-log", lazy: load(() => import("../pages/release/release_page.tsx")) },
              { path: "schedule", lazy: load(() => import("../pages/schedule/schedule_page.tsx")) },
              { path: "jobs", lazy: load(() => import("../pages/settlement/settlement_jobs_page.tsx")) },
              { path: "check", lazy: load(() => import("../pages/verification/verification_page.tsx")) },
              { path: "activity", lazy: load(() => import("../pages/actions/actions_page.tsx")) },
              { path: "notices", lazy: load(() => import("../pages/notices/notices_page.tsx")) },
              { path: "settings", lazy: load(() => import("../pages/settings/settings_page.tsx")) },
            ],
          },
          { path: "products", lazy: load(() => import("../pages/products/products_page.tsx")) },
          { path: "articles", lazy: load(() => import("../pages/articles/articles_page.tsx")) },
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
]);
