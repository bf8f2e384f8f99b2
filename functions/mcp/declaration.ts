/** A tool: a read of the administration API under a name by which an assistant finds it. */
interface Declared {
  name: string;
  title: string;
  /** The method and path of the operation, whose summary and description the tool has, too. */
  operation: string;
  /** What the document does not say to an assistant. */
  hint?: string;
}

const NO_NAMES = "Nicknames are searched only for callers who may read them.";

/**
 * The tools for assistants. `npm run gen` writes functions/mcp/tools.ts from them and the document of the
 * administration API.
 */
export const declaredTools: readonly Declared[] = [
  { name: "find", title: "Find anything by a text", operation: "GET /adminapi/search", hint: NO_NAMES },
  { name: "find_members", title: "Find members", operation: "GET /adminapi/user", hint: NO_NAMES },
  { name: "get_member", title: "One member", operation: "GET /adminapi/user/{uid}" },
  { name: "get_member_upline", title: "Who referred a member", operation: "GET /adminapi/user/{uid}/upline" },
  { name: "get_member_team", title: "Whom a member referred", operation: "GET /adminapi/user/{uid}/network" },
  { name: "get_member_cycle", title: "Cycles of a member", operation: "GET /adminapi/user/{uid}/place" },
  {
    name: "get_member_tasks",
    title: "Orders behind the tasks of a member",
    operation: "GET /adminapi/hjf/member/{uid}/count_audit",
  },
  {
    name: "get_member_levels",
    title: "Changes of the level of a member",
    operation: "GET /adminapi/user/{uid}/level_change",
  },
  { name: "get_member_bill", title: "Bill of a member", operation: "GET /adminapi/user/{uid}/bill" },
  { name: "get_member_statement", title: "Statement of a member", operation: "GET /adminapi/user/{uid}/statement" },
  { name: "find_orders", title: "Find orders", operation: "GET /adminapi/order", hint: NO_NAMES },
  { name: "get_order", title: "One order", operation: "GET /adminapi/order/{id}" },
  {
    name: "explain_order",
    title: "Explain what an order paid",
    operation: "GET /adminapi/order/{id}/settlement",
    hint: "Also answers why nobody earned, or why a member got nothing.",
  },
  { name: "preview_refund", title: "Preview a refund", operation: "POST /adminapi/order/{id}/refund/preview" },
  { name: "list_orders_to_ship", title: "Orders to ship", operation: "GET /adminapi/shipping", hint: NO_NAMES },
  {
    name: "simulate",
    title: "Simulate a plan or levels",
    operation: "POST /adminapi/hjf/simulate",
    hint: "A draft states what it changes; get_plan and get_levels return what is in force.",
  },
  { name: "get_plan", title: "The commission plan", operation: "GET /adminapi/hjf/brokerage/config" },
  { name: "get_levels", title: "The levels", operation: "GET /adminapi/agent/level" },
  { name: "get_overview", title: "Overview", operation: "GET /adminapi/overview" },
  { name: "get_report", title: "Figures by time", operation: "GET /adminapi/report" },
  { name: "report_products", title: "Figures by product", operation: "GET /adminapi/report/product" },
  { name: "report_levels", title: "Figures by level", operation: "GET /adminapi/report/level" },
  { name: "report_members", title: "Figures by member", operation: "GET /adminapi/report/member" },
  { name: "get_liabilities", title: "What the store owes", operation: "GET /adminapi/liabilities" },
  {
    name: "forecast_release",
    title: "Forecast of the release of points",
    operation: "GET /adminapi/hjf/points/forecast",
  },
  { name: "list_releases", title: "Releases of points", operation: "GET /adminapi/hjf/points/release_log" },
  { name: "list_bill", title: "The bill", operation: "GET /adminapi/bill" },
  { name: "get_bill_row", title: "One row of the bill", operation: "GET /adminapi/bill/{id}" },
  { name: "list_withdrawals", title: "Withdrawals", operation: "GET /adminapi/withdrawal" },
  { name: "get_withdrawal", title: "One withdrawal", operation: "GET /adminapi/withdrawal/{id}" },
  { name: "list_debts", title: "Debts of members", operation: "GET /adminapi/debt" },
  { name: "list_adjustments", title: "Adjustments of balances", operation: "GET /adminapi/adjustment" },
  { name: "list_months", title: "Closed months", operation: "GET /adminapi/month" },
  { name: "check_books", title: "Findings of the reconciliation", operation: "GET /adminapi/hjf/reconcile" },
  { name: "list_settlement_jobs", title: "Orders that wait for their settlement", operation: "GET /adminapi/hjf/jobs" },
  { name: "list_outbox", title: "Calls that wait for providers", operation: "GET /adminapi/outbox" },
  {
    name: "list_payment_notifications",
    title: "Notifications of payments",
    operation: "GET /adminapi/payment/notification",
  },
  { name: "list_schedule", title: "Scheduled jobs", operation: "GET /adminapi/system/crontab" },
  { name: "list_signals", title: "What may be abuse", operation: "GET /adminapi/signal" },
  { name: "list_actions", title: "Action log", operation: "GET /adminapi/action" },
  { name: "list_events", title: "Events", operation: "GET /adminapi/event" },
  { name: "list_products", title: "Products", operation: "GET /adminapi/product" },
];
