import { createHashRouter, Navigate } from "react-router";
import { Loading } from "../parts/loading.tsx";
import { ErrorPage } from "./error_page.tsx";
import { NotFoundPage } from "./not_found_page.tsx";
import { Shell } from "./shell.tsx";

/** Every page is a file of its own that is loaded when it is first opened. */
export const router = createHashRouter([
  {
    element: <Shell />,
    errorElement: <ErrorPage />,
    children: [
      {
        errorElement: <ErrorPage />,
        hydrateFallbackElement: <Loading height={200} />,
        children: [
          { index: true, element: <Navigate to="/overview" replace /> },
          { path: "overview", lazy: () => import("../pages/overview/overview_page.tsx") },
          { path: "users", lazy: () => import("../pages/users/users_page.tsx") },
          { path: "users/:uid", lazy: () => import("../pages/users/user_page.tsx") },
          { path: "orders", lazy: () => import("../pages/orders/orders_page.tsx") },
          { path: "orders/:id", lazy: () => import("../pages/orders/order_page.tsx") },
          { path: "payments", lazy: () => import("../pages/payments/payments_page.tsx") },
          { path: "products", lazy: () => import("../pages/products/products_page.tsx") },
          { path: "articles", lazy: () => import("../pages/articles/articles_page.tsx") },
          { path: "plan", lazy: () => import("../pages/plan/plan_page.tsx") },
          { path: "levels", lazy: () => import("../pages/levels/levels_page.tsx") },
          { path: "release-log", lazy: () => import("../pages/release_log/release_log_page.tsx") },
          { path: "schedule", lazy: () => import("../pages/schedule/schedule_page.tsx") },
          { path: "jobs", lazy: () => import("../pages/jobs/jobs_page.tsx") },
          { path: "check", lazy: () => import("../pages/check/check_page.tsx") },
          { path: "settings", lazy: () => import("../pages/settings/settings_page.tsx") },
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
]);
