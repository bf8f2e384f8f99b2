import { createHashRouter } from "react-router";
import { load } from "../../../shared/load_page.ts";
import { Loading } from "../components/loading.tsx";
import { ErrorPage } from "./error_page.tsx";
import { MembersOnly } from "./members_only.tsx";
import { NotFoundPage } from "./not_found_page.tsx";
import { Shell } from "./shell.tsx";
import type { tabs } from "./tab_bar.tsx";

const tabPages = {
  products: load(() => import("../pages/products/products_page.tsx")),
  orders: load(() => import("../pages/orders/orders_page.tsx")),
  team: load(() => import("../pages/team/team_page.tsx")),
  me: load(() => import("../pages/members/me_page.tsx")),
} satisfies Record<(typeof tabs)[number]["name"], unknown>;

/** Loads the pages of all tabs, so that each of them opens without a connection. */
export function loadTabs(): void {
  for (const page of Object.values(tabPages)) void page().catch(() => undefined);
}

/**
 * Every page is a file of its own that is loaded when it is first opened; the pages of the tabs follow the first page.
 */
export const router = createHashRouter([
  {
    element: <Shell />,
    errorElement: <ErrorPage />,
    hydrateFallbackElement: <Loading />,
    children: [
      {
        errorElement: <ErrorPage />,
        children: [
          { index: true, lazy: tabPages.products },
          { path: "products/:id", lazy: load(() => import("../pages/products/product_page.tsx")) },
          { path: "articles/:id", lazy: load(() => import("../pages/articles/article_page.tsx")) },
          { path: "cart", lazy: load(() => import("../pages/cart/cart_page.tsx")) },
          { path: "sign-in", lazy: load(() => import("../pages/members/sign_in_page.tsx")) },
          { path: "sign-in/wechat", lazy: load(() => import("../pages/members/wechat_sign_in_page.tsx")) },
          { path: "sign-in/phone", lazy: load(() => import("../pages/members/phone_sign_in_page.tsx")) },
          { path: "sign-up", lazy: load(() => import("../pages/members/sign_up_page.tsx")) },
          { path: "forgot-password", lazy: load(() => import("../pages/members/forgot_password_page.tsx")) },
          { path: "new-password", lazy: load(() => import("../pages/members/new_password_page.tsx")) },
          { path: "confirm", lazy: load(() => import("../pages/members/confirm_page.tsx")) },
          {
            element: <MembersOnly />,
            children: [
              { path: "checkout", lazy: load(() => import("../pages/orders/checkout_page.tsx")) },
              { path: "orders", lazy: tabPages.orders },
              { path: "orders/:id", lazy: load(() => import("../pages/orders/order_page.tsx")) },
              { path: "orders/:id/paid", lazy: load(() => import("../pages/payments/paid_page.tsx")) },
              { path: "orders/:id/refund", lazy: load(() => import("../pages/refunds/refund_page.tsx")) },
              { path: "orders/:id/return", lazy: load(() => import("../pages/refunds/return_page.tsx")) },
              { path: "addresses", lazy: load(() => import("../pages/addresses/addresses_page.tsx")) },
              { path: "addresses/:id", lazy: load(() => import("../pages/addresses/address_page.tsx")) },
              { path: "me", lazy: tabPages.me },
              { path: "me/profile", lazy: load(() => import("../pages/members/profile_page.tsx")) },
              { path: "me/security", lazy: load(() => import("../pages/members/security_page.tsx")) },
              { path: "me/requests", lazy: load(() => import("../pages/person_requests/requests_page.tsx")) },
              { path: "me/deletion", lazy: load(() => import("../pages/members/deletion_page.tsx")) },
              { path: "me/password", lazy: load(() => import("../pages/members/password_page.tsx")) },
              { path: "notices", lazy: load(() => import("../pages/notices/notices_page.tsx")) },
              { path: "notices/choices", lazy: load(() => import("../pages/notices/choices_page.tsx")) },
              { path: "withdrawals", lazy: load(() => import("../pages/withdrawals/commission_page.tsx")) },
              { path: "withdrawals/new", lazy: load(() => import("../pages/withdrawals/withdraw_page.tsx")) },
              { path: "withdrawals/:id", lazy: load(() => import("../pages/withdrawals/withdrawal_page.tsx")) },
              { path: "accounts", lazy: load(() => import("../pages/withdrawals/accounts_page.tsx")) },
              { path: "accounts/new", lazy: load(() => import("../pages/withdrawals/account_page.tsx")) },
              { path: "real-name", lazy: load(() => import("../pages/real_names/real_name_page.tsx")) },
              { path: "cycle", lazy: load(() => import("../pages/plans/cycle_page.tsx")) },
              { path: "prospects", lazy: load(() => import("../pages/prospects/prospects_page.tsx")) },
              { path: "points", lazy: load(() => import("../pages/release/points_page.tsx")) },
              { path: "bill", lazy: load(() => import("../pages/bill/bill_page.tsx")) },
              { path: "statement", lazy: load(() => import("../pages/bill/statement_page.tsx")) },
              { path: "levels", lazy: load(() => import("../pages/levels/levels_page.tsx")) },
              { path: "team", lazy: tabPages.team },
              { path: "team/people", lazy: load(() => import("../pages/team/people_page.tsx")) },
              { path: "team/orders", lazy: load(() => import("../pages/team/team_orders_page.tsx")) },
              { path: "poster", lazy: load(() => import("../pages/posters/poster_page.tsx")) },
            ],
          },
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
  },
]);
